/** Small pictures for tests, each whole and of a size of one's choice. */
import { crc32, deflateSync } from 'node:zlib';

/** One colour, so that it is small whatever its size. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // one bit a pixel, grey
  header[8] = 1;
  const row = Buffer.alloc(1 + Math.ceil(width / 8));
  const data = deflateSync(
    Buffer.concat(Array<Buffer>(Math.min(height, Math.floor(4_000_000 / row.length))).fill(row)),
  );
  const chunks = [chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [data.length, crc32(body)].map((value) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  }) as [Buffer, Buffer];
  return Buffer.concat([length, body, check]);
}

/** What a decoder reads of its size, and an end; `orientation` as a camera notes it. */
export function jpeg(width: number, height: number, orientation = 1): Buffer {
  const exif = Buffer.from(
    `Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0\0\0\0\0`,
    'latin1',
  );
  const frame = Buffer.from([8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]);
  const scan = Buffer.from([1, 1, 0, 0, 63, 0]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, exif),
    segment(0xc0, frame),
    segment(0xda, scan),
    Buffer.from([0x7f, 0xff, 0xd9]),
  ]);
}

function segment(marker: number, data: Buffer): Buffer {
  const length = data.length + 2;
  return Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 255]), data]);
}

/** One pixel each. */
export const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
export const WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
