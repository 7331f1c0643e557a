import { imageSize } from 'image-size';
import { expect, test, vi } from 'vitest';
import { imageFacts } from './image-facts.ts';
import { GIF, jpeg, png, WEBP } from './pictures.test-support.ts';

vi.mock('image-size', async (original) => {
  const real = await original<typeof import('image-size')>();
  return { ...real, imageSize: vi.fn(real.imageSize) };
});

const codeOf = (bytes: Buffer) => {
  try {
    return imageFacts(bytes, 'a.png');
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('the four kinds are told by their bytes, with their size', () => {
  expect(imageFacts(png(300, 200), 'a.jpg')).toEqual({ mediaType: 'image/png', width: 300, height: 200 });
  expect(imageFacts(png(1, 1), 'a')).toEqual({ mediaType: 'image/png', width: 1, height: 1 });
  expect(imageFacts(jpeg(640, 480), 'a')).toEqual({ mediaType: 'image/jpeg', width: 640, height: 480 });
  expect(imageFacts(GIF, 'a')).toEqual({ mediaType: 'image/gif', width: 1, height: 1 });
  expect(imageFacts(WEBP, 'a')).toEqual({ mediaType: 'image/webp', width: 1, height: 1 });
});

test('a photo that lies on its side has the size it is seen in', () => {
  expect(imageFacts(jpeg(640, 480, 6), 'a')).toMatchObject({ width: 480, height: 640 });
  expect(imageFacts(jpeg(640, 480, 3), 'a')).toMatchObject({ width: 640, height: 480 });
});

test('a JPEG that is filled to keep its reader busy is read in its segments only', () => {
  const [start, end] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xda, 0, 2, 0xff, 0xd9])];
  const zeros = Buffer.alloc(8 * 1024 * 1024);
  const empty = Buffer.from([0xff, 0xe0, 0, 2]);
  const fillings = {
    'zeros after the scan begins': [Buffer.from([0xff, 0xd8, 0xff, 0xda]), zeros, Buffer.from([0xff, 0xd9])],
    'nothing but padding': [start, Buffer.alloc(1024 * 1024, 0xff), end],
    'empty segments': [start, Buffer.alloc(1024 * 1024, empty), end],
  };
  vi.mocked(imageSize).mockClear();
  for (const [what, parts] of Object.entries(fillings))
    expect([what, codeOf(Buffer.concat(parts))]).toEqual([what, 'image.broken']);
  const photo = jpeg(640, 480, 6);
  const filled = Buffer.concat([photo.subarray(0, 2), Buffer.alloc(4000, empty), photo.subarray(2)]);
  expect(imageFacts(filled, 'a')).toMatchObject({ width: 480, height: 640 });
  const read = vi.mocked(imageSize).mock.calls.map(([bytes]) => bytes.length);
  expect(Math.max(...read)).toBeLessThan(photo.length);
});

test('what only calls itself an image is none', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  for (const text of [svg, '<!doctype html>', '%PDF-1.7', 'BM', '', '\x89PNG', 'RIFF....AVI '])
    expect(codeOf(Buffer.from(text, 'latin1'))).toBe('image.type');
  expect(() => imageFacts(Buffer.from(svg), 'logo.svg')).toThrow(
    'logo.svg is not a PNG, JPEG, WebP or GIF image.',
  );
});

test('a PNG that says 100,000 by 100,000 pixels is refused before anybody decodes it', () => {
  expect(() => imageFacts(png(100_000, 100_000), 'bomb.png')).toThrow(/100000 × 100000 pixels; 50 million/);
});

test('every picture that was cut off is broken or no image, wherever the cut is', () => {
  for (const whole of [png(64, 64), jpeg(64, 64), WEBP, GIF.subarray(0, GIF.length)]) {
    for (let length = 0; length < whole.length - 1; length++) {
      const cut = Buffer.from(whole.subarray(0, length));
      // the last bytes of a GIF may be padding
      const found = codeOf(cut);
      if (found !== 'image.type') expect([length, found]).toEqual([length, 'image.broken']);
    }
  }
});

test('bytes turned at random never throw anything but a sentence', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (const whole of [png(64, 64), jpeg(64, 64), WEBP, GIF]) {
    for (let round = 0; round < 500; round++) {
      const changed = Buffer.from(whole);
      for (let n = 0; n < 4; n++) changed[random(changed.length)] = random(256);
      const found = codeOf(changed);
      if (typeof found === 'string') expect(found).toMatch(/^image\.(type|broken|pixels)$/);
    }
  }
});
