/** What is known of a JPEG without decoding it: a walk over its segments, each skipped by its length. */

const SCAN = 0xda;
const APP1 = 0xe1;
/** Far more than any program writes. */
const STEPS_LIMIT = 10_000;
const COMMENT = Buffer.from([0xff, 0xfe, 0, 2]);

type Segment = { marker: number; bytes: Buffer };

/** Whether its segments lead up to the coded data, and that to an end mark, which can only be the end. */
export function isWholeJpeg(bytes: Buffer): boolean {
  for (const { marker, bytes: rest } of segments(bytes))
    if (marker === SCAN) return rest.indexOf('\xff\xd9', 0, 'latin1') > 0;
  return false;
}

/**
 * A JPEG of nothing but the segments that say its size and how it is turned: 128 KiB at the most, however its maker
 * has filled the rest to keep a reader busy. Empty where there is none before the coded data.
 */
export function jpegHeader(bytes: Buffer): Buffer {
  let turned: Buffer = COMMENT;
  for (const { marker, bytes: segment } of segments(bytes)) {
    if (marker === SCAN) break;
    if (marker === APP1 && segment.toString('latin1', 4, 8) === 'Exif') turned = segment;
    // baseline, extended, progressive
    if (marker >= 0xc0 && marker <= 0xc2)
      return Buffer.concat([bytes.subarray(0, 2), COMMENT, turned, segment]);
  }
  return Buffer.alloc(0);
}

/** Up to the coded data, which goes on to the end of the file. */
function* segments(bytes: Buffer): Generator<Segment> {
  let at = 2;
  for (let step = 0; step < STEPS_LIMIT && at + 4 <= bytes.length && bytes[at] === 0xff; step++) {
    const marker = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2) + 2;
    if (marker === SCAN) {
      yield { marker, bytes: bytes.subarray(at) };
      return;
    }
    // any number of 0xff may stand before a marker
    if (marker !== 0xff) yield { marker, bytes: bytes.subarray(at, at + length) };
    at += marker === 0xff ? 1 : length;
  }
}
