/** What a file is by its first bytes, whatever its name or the system says. Pure. */

export type ImageKind =
  | 'image/png'
  | 'image/jpeg'
  | 'image/webp'
  | 'image/gif'
  /** Perhaps an image that this browser can read: HEIC, AVIF, BMP. */
  | 'other'
  /** Text, a document, nothing at all: no image, or one that could do things. */
  | 'never';

export function kindOf(head: Uint8Array): ImageKind {
  // a byte a character; what is called latin1 by decoders is not
  const text = String.fromCharCode(...head.subarray(0, 512));
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (/^\xff\xd8\xff/.test(text)) return 'image/jpeg';
  if (/^RIFF.{4}WEBP/s.test(text)) return 'image/webp';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  return text === '' || text.startsWith('%PDF') || /^\s*(?:\xef\xbb\xbf)?\s*</.test(text) ? 'never' : 'other';
}

const EXTENSIONS: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg' };

/** The name for the type it has now: `IMG_1.HEIC` becomes `IMG_1.jpg`. */
export function renamed(name: string, type: string): string {
  const extension = EXTENSIONS[type];
  const known = type === 'image/jpeg' ? /\.jpe?g$/i : new RegExp(`\\.${extension}$`, 'i');
  if (extension === undefined || known.test(name)) return name;
  return `${name.replace(/\.\w{1,5}$/, '')}.${extension}`;
}
