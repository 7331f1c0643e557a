import { expect, test } from 'vitest';
import { withoutImages } from './without-images.ts';

const picture = 'A'.repeat(100_000);
const message = (...urls: string[]) => ({
  type: 'message',
  content: [
    { type: 'input_text', text: 'I wrote "image_url":"data:image/png;base64,AAAA" here' },
    ...urls.map((image_url) => ({ type: 'input_image', image_url })),
    { type: 'input_text', text: '</image>' },
  ],
});
const lineOf = (value: unknown) => Buffer.from(JSON.stringify(value));

test('all but the images is the same', () => {
  const url = `data:image/png;base64,${picture}`;
  const line = withoutImages(lineOf(message(url, 'https://example.org/a.png', url)));
  expect(JSON.parse(line.toString())).toEqual(message('data:', 'https://example.org/a.png', 'data:'));
  expect(line.length).toBeLessThan(1000);
});

test('what it cannot be sure of stays as it is', () => {
  const torn = lineOf(message(`data:image/png;base64,${picture}`)).subarray(0, 90_000);
  const svg = lineOf(message(`data:image/svg+xml,<svg a="${picture}"/>`));
  const without = lineOf({ text: picture });
  for (const line of [torn, svg, without]) expect(withoutImages(line)).toBe(line);
});
