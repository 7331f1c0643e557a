import { expect, test } from 'vitest';
import { areMeant } from './pasted-files.ts';

const photo = { name: 'my photo.png' };

test.each([
  '',
  'my photo.png',
  '/home/ada/my photo.png\n',
  'C:\\Users\\Ada\\my photo.png',
  'file:///home/ada/my%20photo.png\r\n',
])('a copied file is meant, not the words that name it: %j', (words) => {
  expect(areMeant([photo], words)).toBe(true);
});

test('several files, a line each', () => {
  const files = [photo, { name: '100%.png' }];
  expect(areMeant(files, '/tmp/my photo.png\nfile:///tmp/100%.png')).toBe(true);
});

test.each([
  'Name\tAge\nAda\t36',
  'see my photo.png',
  'my photo.png\nand more',
  'https://a.example/x/other.png',
])('words are meant when they say more: %j', (words) => {
  expect(areMeant([{ name: 'image.png' }, photo], words)).toBe(false);
});

test('without files there is nothing to take', () => {
  expect(areMeant([], '')).toBe(false);
});
