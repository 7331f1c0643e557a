import { expect, test } from 'vitest';
import { thumbnailSize } from './thumbnail-size.ts';

test('one alone keeps its shape, no larger than it is', () => {
  expect(thumbnailSize({ width: 2048, height: 1024 }, 1)).toEqual({ width: 280, height: 140 });
  expect(thumbnailSize({ width: 1000, height: 2000 }, 1)).toEqual({ width: 100, height: 200 });
  expect(thumbnailSize({ width: 100, height: 60 }, 1)).toEqual({ width: 100, height: 60 });
});

test('several are of one height', () => {
  expect(thumbnailSize({ width: 2048, height: 1024 }, 2)).toEqual({ width: 220, height: 112 });
  expect(thumbnailSize({ width: 1000, height: 2000 }, 3)).toEqual({ width: 56, height: 112 });
  expect(thumbnailSize({ width: 60, height: 40 }, 2)).toEqual({ width: 168, height: 112 });
});

test('what is tiny or very long can still be pressed', () => {
  expect(thumbnailSize({ width: 1, height: 1 }, 1)).toEqual({ width: 44, height: 44 });
  expect(thumbnailSize({ width: 1440, height: 30_000 }, 1)).toEqual({ width: 44, height: 200 });
  expect(thumbnailSize({ width: 1440, height: 30_000 }, 2)).toEqual({ width: 44, height: 112 });
});

test('a size nobody knows has a box too', () => {
  expect(thumbnailSize({}, 1)).toEqual({ width: 160, height: 120 });
});
