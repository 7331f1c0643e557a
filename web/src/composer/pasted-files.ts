/** What of a clipboard is taken as files. Pure. */

/**
 * Whether files are what was copied. From a table or a document come words as well, and a picture of them: the words
 * are meant. A file that was copied itself comes with its name, its path or its address as words: it is meant.
 */
export function areMeant(files: readonly Pick<File, 'name'>[], words: string): boolean {
  const lines = words.split(/\r?\n/).filter((line) => line.trim() !== '');
  return files.length > 0 && lines.every((line) => files.some(({ name }) => names(line.trim(), name)));
}

function names(line: string, name: string): boolean {
  const last = line.split(/[\\/]/).at(-1) ?? '';
  return last === name || (/^file:/i.test(line) && decoded(last) === name);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a lone percent sign: as it is
  }
}
