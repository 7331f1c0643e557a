/** What an image is called. Pure. */

const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

const LENGTH = 100;

/** The last part of the name it came with, without what could break a line or turn it round; `image.png` for none. */
export function attachmentName(given: string, mediaType: string): string {
  // halves of characters do not survive UTF-8
  const last = Buffer.from(given).toString().split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to go
  const clean = last.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, ' ').trim();
  if (clean.replaceAll('.', '') === '') return `image.${EXTENSIONS[mediaType]}`;
  const letters = Array.from(clean);
  if (letters.length <= LENGTH) return clean;
  // its end says what it is
  return `${letters.slice(0, LENGTH - 21).join('')}…${letters.slice(-20).join('')}`;
}
