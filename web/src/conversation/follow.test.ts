import { expect, test } from 'vitest';
import { canScroll, distanceToEnd, followsAfterScroll, isAway, isUpwardKey } from './follow.ts';

const at = (top: number, height = 2000) => ({ top, height, view: 500 });

test('a leap up lets go; a little step without a hand on wheel, keys or bar is the layout', () => {
  expect(followsAfterScroll(true, at(1500), at(1100))).toBe(false);
  expect(followsAfterScroll(true, at(1500), at(1440))).toBe(true);
});

test('arriving at the end follows again', () => {
  expect(followsAfterScroll(false, at(1100), at(1500))).toBe(true);
  expect(followsAfterScroll(false, at(1100), at(1485))).toBe(true);
});

test('what streams in on the way does not move the end away from the reader', () => {
  expect(followsAfterScroll(false, at(1100), at(1500, 2060))).toBe(true);
  expect(followsAfterScroll(false, at(1100), at(1400, 2060))).toBe(false);
});

test('a layout that moves the view while it follows is no upward intent', () => {
  expect(followsAfterScroll(true, at(1500), at(1400, 1990))).toBe(true);
  expect(followsAfterScroll(true, at(1500), at(1400, 2100))).toBe(true);
});

test('being pushed down by what came above is no arriving', () => {
  expect(followsAfterScroll(false, at(200), at(4400, 6200))).toBe(false);
});

test('moving down without arriving does not follow', () => {
  expect(followsAfterScroll(false, at(1100), at(1300))).toBe(false);
});

test('a small step up near the end does not follow again by being near', () => {
  expect(followsAfterScroll(false, at(1495), at(1485))).toBe(false);
});

test('a late event of the step to the end does not follow again', () => {
  expect(followsAfterScroll(false, at(1500), at(1500))).toBe(false);
  expect(followsAfterScroll(true, at(1500), at(1500))).toBe(true);
});

test('growth alone keeps what was: following stays, reading stays', () => {
  expect(followsAfterScroll(true, at(1500), at(1500, 2400))).toBe(true);
  expect(followsAfterScroll(false, at(900), at(900, 2400))).toBe(false);
});

test('content that shrinks under the reader is no upward intent', () => {
  expect(followsAfterScroll(true, at(1500), at(1200, 1710))).toBe(true);
  expect(followsAfterScroll(false, at(1400), at(1000, 1500))).toBe(true);
});

test('places', () => {
  expect(distanceToEnd(at(1400))).toBe(100);
  expect(canScroll({ top: 0, height: 500, view: 500 })).toBe(false);
  expect(canScroll(at(0))).toBe(true);
  expect([isAway(at(1480)), isAway(at(1400))]).toEqual([false, true]);
});

test('upward keys', () => {
  const key = (name: string, shiftKey = false) => isUpwardKey({ key: name, shiftKey });
  expect([key('PageUp'), key('ArrowUp'), key('Home'), key(' ', true)]).toEqual([true, true, true, true]);
  expect([key('PageDown'), key('End'), key(' '), key('a')]).toEqual([false, false, false, false]);
});
