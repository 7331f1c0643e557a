import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Failure } from '../../base/errors.ts';
import { Patience } from './patience.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;
const THINKS = { waiting: null, working: false };

function patience(silenceMs: number) {
  const over: string[] = [];
  const told = ({ code, details = {} }: Failure) => `${code} ${details.minutes ?? details.seconds}`;
  const one = new Patience({ silenceMs, reconnectSeconds: 300 }, (why) => over.push(told(why)));
  return { one, over };
}

test('a model that says nothing has as long as is set, from what was heard last', () => {
  const { one, over } = patience(30 * MINUTE);
  vi.advanceTimersByTime(29 * MINUTE);
  one.heard(THINKS);
  vi.advanceTimersByTime(29 * MINUTE);
  expect(over).toEqual([]);
  vi.advanceTimersByTime(MINUTE);
  expect(over).toEqual(['codex.silence 30']);
});

test('a command takes as long as it takes', () => {
  const { one, over } = patience(MINUTE);
  one.heard({ waiting: null, working: true });
  vi.advanceTimersByTime(600 * MINUTE);
  expect(over).toEqual([]);
  one.heard(THINKS);
  vi.advanceTimersByTime(MINUTE);
  expect(over).toEqual(['codex.silence 1']);
});

test('a provider that cannot be reached has as long as is set however often it is tried, and anew once it has answered', () => {
  const { one, over } = patience(30 * MINUTE);
  const waits = { waiting: 'refused', working: false };
  for (let tries = 0; tries < 4; tries++) {
    one.heard(waits);
    vi.advanceTimersByTime(MINUTE);
  }
  one.heard(THINKS);
  one.heard(waits);
  vi.advanceTimersByTime(4 * MINUTE);
  expect(over).toEqual([]);
  vi.advanceTimersByTime(MINUTE);
  expect(over).toEqual(['codex.unreachable 300']);
});

test('after the end nothing comes', () => {
  const { one, over } = patience(MINUTE);
  one.end();
  vi.advanceTimersByTime(10 * MINUTE);
  expect(over).toEqual([]);
});
