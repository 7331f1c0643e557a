/** Pieces of Markdown that hold whatever text is put into them. Pure. */
import { stripVTControlCharacters } from 'node:util';

/** A block of text that ends where it is meant to, whatever fences are in it. */
export function fenced(text: string, language = ''): string {
  const longest = longestRun(text, 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${fence}`;
}

/** One line, set as code. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return '` `';
  const longest = longestRun(line, 0);
  const tick = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${tick}${pad}${line}${pad}${tick}`;
}

/** Words that stand for themselves, in one line. */
export function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>()#+!|~]/g, '\\$&');
}

export function quoted(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** Markdown that somebody wrote: a fence that it leaves open is closed, or it would swallow all that follows. */
export function closed(text: string): string {
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (!fence) continue;
    const [, marks = '', rest = ''] = fence;
    if (open === null) {
      if (marks[0] === '~' || !rest.includes('`')) open = marks;
    } else if (marks[0] === open[0] && marks.length >= open.length && rest.trim() === '') open = null;
  }
  return open === null ? text.trimEnd() : `${text.trimEnd()}\n${open}`;
}

/** What a terminal had shown in the end: without its control sequences, each line as it was last written. */
export function shownByTerminal(output: string): string {
  return (
    stripVTControlCharacters(output)
      .replace(/\r\n/g, '\n')
      .split('\n')
      .map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1))
      .join('\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to go
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
  );
}

/** Of backticks, and at least so many. A text may have more runs than a call takes arguments. */
function longestRun(text: string, least: number): number {
  let longest = least;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
