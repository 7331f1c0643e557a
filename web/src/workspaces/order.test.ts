import { expect, test } from 'vitest';
import { moved, placeAt } from './order.ts';

test('one is moved, the others keep their order', () => {
  expect(moved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(moved(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c']);
});

test('there is no place before the first and after the last', () => {
  const list = ['a', 'b'];
  for (const [from, to] of [
    [0, 0],
    [0, -1],
    [1, 2],
    [7, 0],
  ] as const)
    expect(moved(list, from, to)).toBe(list);
});

test('a point is in the place it is over, else in the nearest', () => {
  const places = [
    { left: 0, top: 0, width: 100, height: 100 },
    { left: 120, top: 0, width: 100, height: 100 },
    { left: 0, top: 120, width: 100, height: 100 },
  ];
  expect(placeAt(places, 50, 50)).toBe(0);
  expect(placeAt(places, 118, 90)).toBe(1);
  expect(placeAt(places, 180, 900)).toBe(2);
  expect(placeAt(places, -40, 180)).toBe(2);
});
