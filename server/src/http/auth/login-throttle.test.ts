import { expect, test } from 'vitest';
import { LoginThrottle, sourceOf } from './login-throttle.ts';

function throttleAt(clock: { now: number }) {
  return new LoginThrottle(() => clock.now);
}

test('a source has ten tries, then one per ten seconds', () => {
  const clock = { now: 0 };
  const throttle = throttleAt(clock);
  const tries = Array.from({ length: 12 }, () => throttle.take('a', false));
  expect(tries).toEqual([...Array(10).fill(null), 10, 10]);
  clock.now = 4_000;
  expect(throttle.take('a', false)).toBe(6);
  clock.now = 10_000;
  expect(throttle.take('a', false)).toBeNull();
  expect(throttle.take('a', false)).toBe(10);
  clock.now = 1_000_000;
  expect(Array.from({ length: 11 }, () => throttle.take('a', false)).filter((t) => t === null)).toHaveLength(
    10,
  );
});

test('a right secret is not counted', () => {
  const throttle = throttleAt({ now: 0 });
  for (let i = 0; i < 200; i++) {
    expect(throttle.take('a', false)).toBeNull();
    throttle.giveBack('a', false);
  }
});

test('all strangers together have sixty a minute; one source alone cannot use them up', () => {
  const clock = { now: 0 };
  const throttle = throttleAt(clock);
  for (let i = 0; i < 500; i++) throttle.take('greedy', false);
  const others = Array.from({ length: 60 }, (_, i) => throttle.take(`s${i}`, false));
  expect(others.filter((t) => t === null)).toHaveLength(50);
  expect(throttle.take('late', false)).toBe(1);
  expect(throttle.take('known', true)).toBeNull();
  clock.now = 1_000;
  expect(throttle.take('late', false)).toBeNull();
});

test('what it remembers is bounded', () => {
  const clock = { now: 0 };
  const throttle = throttleAt(clock);
  for (let i = 0; i < 5_000; i++) {
    clock.now += 1_000;
    throttle.take(`source ${i}`, false);
  }
  expect(throttle.take('source 4999', false)).toBeNull();
});

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted under %s', (address, source) => {
  expect(sourceOf(address)).toBe(source);
});
