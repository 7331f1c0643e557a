/**
 * What a picture is, read from its bytes and never from what is said about it. Only whole pictures pass: a
 * provider refuses a request with a broken one in it, and with it the conversation ever after.
 */
import { imageSize } from 'image-size';
import { Failure } from './errors.ts';
import { isWholeJpeg, jpegHeader } from './jpeg.ts';

export type ImageFacts = {
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  /** Pixels as it is seen, turned as it says itself. */
  width: number;
  height: number;
};

type Format = {
  type: string;
  mediaType: ImageFacts['mediaType'];
  begins(bytes: Buffer): boolean;
  /** Whether it goes on to its end. */
  isWhole(bytes: Buffer): boolean;
  /** The part that says its size, where that is not near its beginning. */
  header?(bytes: Buffer): Buffer;
};

/** Four bytes a pixel is what every viewer's browser spends on it. */
const PIXELS_LIMIT = 50_000_000;

const formats: readonly Format[] = [
  {
    type: 'png',
    mediaType: 'image/png',
    begins: (bytes) => bytes.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n',
    isWhole: hasPngEnd,
  },
  {
    type: 'jpg',
    mediaType: 'image/jpeg',
    begins: (bytes) => bytes.toString('latin1', 0, 3) === '\xff\xd8\xff',
    isWhole: isWholeJpeg,
    header: jpegHeader,
  },
  {
    type: 'gif',
    mediaType: 'image/gif',
    begins: (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)),
    // some programs pad it
    isWhole: (bytes) => bytes.subarray(-16).includes(0x3b),
  },
  {
    type: 'webp',
    mediaType: 'image/webp',
    begins: (bytes) => /^RIFF.{4}WEBP$/s.test(bytes.toString('latin1', 0, 12)),
    isWhole: (bytes) => bytes.readUInt32LE(4) + 8 <= bytes.length,
  },
];

/** Throws `image.type` (415), `image.broken`, `image.pixels`. `name` is what the sentences call it. */
export function imageFacts(bytes: Buffer, name: string): ImageFacts {
  const format = formats.find(({ begins }) => begins(bytes));
  if (!format)
    throw new Failure('mediaType', 'image.type', `${name} is not a PNG, JPEG, WebP or GIF image.`, {
      details: { name },
    });
  const size = format.isWhole(bytes) ? sizeOf(bytes, format) : null;
  if (!size)
    throw new Failure(
      'invalid',
      'image.broken',
      `${name} is broken: it begins as an image and does not end as one.`,
      { details: { name } },
    );
  const { width, height } = size;
  if (width * height > PIXELS_LIMIT)
    throw new Failure(
      'tooLarge',
      'image.pixels',
      `${name} has ${width} × ${height} pixels; ${PIXELS_LIMIT / 1_000_000} million is the limit. Make it smaller first.`,
      { details: { name, width, height } },
    );
  return { mediaType: format.mediaType, width, height };
}

/** null for a header that makes no sense. */
function sizeOf(bytes: Buffer, { type, header }: Format): { width: number; height: number } | null {
  try {
    const { type: found, width, height, orientation = 1 } = imageSize(header ? header(bytes) : bytes);
    if (found !== type || !(width > 0) || !(height > 0)) return null;
    // from 5 on it is shown lying on its side
    return orientation >= 5 ? { width: height, height: width } : { width, height };
  } catch {
    return null; // it reads past the end of what it was given
  }
}

/** Chunks with their length, up to the one that ends it. */
function hasPngEnd(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length; at += bytes.readUInt32BE(at) + 12)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return true;
  return false;
}
