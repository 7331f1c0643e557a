/** Lines of a rollout file without the bytes of their images: nothing that people see is made of these. */

const IMAGE = Buffer.from('"image_url":"data:');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Shorter lines are not worth the search. */
const LONG = 64 * 1024;

/** A line of JSON whose images are empty: the 32 MiB of a message with images need not be decoded for its words. */
export function withoutImages(line: Buffer): Buffer {
  if (line.length < LONG) return line;
  const kept: Buffer[] = [];
  let from = 0;
  for (let at = line.indexOf(IMAGE); at >= 0; at = line.indexOf(IMAGE, from)) {
    const data = at + IMAGE.length;
    const end = line.indexOf(QUOTE, data);
    // torn, or no base64: it stays as it is
    if (end < 0 || line[end - 1] === BACKSLASH) return line;
    kept.push(line.subarray(from, data));
    from = end;
  }
  return kept.length === 0 ? line : Buffer.concat([...kept, line.subarray(from)]);
}
