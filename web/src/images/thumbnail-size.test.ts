import { expect, test } from 'vitest';
import { thumbnailSize } from './thumbnail-size.ts';

test('a box that keeps the shape and fits', () => {
  expect(thumbnailSize({ width: 2048, height: 1024 })).toEqual({ width: 240, height: 120 });
  expect(thumbnailSize({ width: 1000, height: 2000 })).toEqual({ width: 80, height: 160 });
  expect(thumbnailSize({ width: 100, height: 60 })).toEqual({ width: 100, height: 60 });
});

test('what is tiny or very long can still be pressed', () => {
  expect(thumbnailSize({ width: 1, height: 1 })).toEqual({ width: 44, height: 44 });
  expect(thumbnailSize({ width: 1440, height: 30_000 })).toEqual({ width: 44, height: 160 });
});

test('a size nobody knows has a box too', () => {
  expect(thumbnailSize({})).toEqual({ width: 160, height: 120 });
});
