import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BackgroundEnd } from '../../exec/running-process.ts';
import { Wakes } from './wakes.ts';

let woken = 0;
let wakes: Wakes;
beforeEach(() => {
  vi.useFakeTimers();
  woken = 0;
  wakes = new Wakes(() => woken++);
});
afterEach(() => {
  wakes.leave();
  vi.useRealTimers();
});

const end = (processId = '7'): BackgroundEnd => ({
  ...{ processId, itemId: `item-${processId}`, command: 'npm test', tail: '', read: false },
  exit: { exitCode: 0, signal: null },
});

/** A turn that takes what waits. */
function turn(how: { alone: boolean; status?: 'completed' | 'interrupted' }) {
  const taken = wakes.pending();
  wakes.delivered(taken, how.alone);
  wakes.turnEnded(how.status ?? 'completed');
  return taken;
}

test('an end wakes the agent, and is told once', () => {
  expect(wakes.due()).toBe(false);
  wakes.commandEnded(end());
  expect(woken).toBe(1);
  expect(wakes.due()).toBe(true);
  expect(turn({ alone: true })).toMatchObject([{ kind: 'command', end: { processId: '7' } }]);
  expect(wakes.due()).toBe(false);
});

test('several that came while the agent worked are told together; what it has read itself is not', () => {
  const read = end('8');
  for (const one of [end('7'), read, end('9')]) wakes.commandEnded(one);
  wakes.clockRang(5);
  read.read = true;
  expect(
    turn({ alone: true }).map((wake) => (wake.kind === 'command' ? wake.end.processId : wake.kind)),
  ).toEqual(['7', '9', 'clock']);
});

test('what is not taken waits on: a disk that refuses loses nothing', () => {
  wakes.commandEnded(end());
  wakes.turnEnded('failed');
  expect(wakes.due()).toBe(true);
  expect(wakes.pending()).toHaveLength(1);
});

test('after a stop, what waited starts nothing by itself, but goes along with what comes next', () => {
  wakes.commandEnded(end('7'));
  wakes.turnEnded('interrupted');
  expect(wakes.due()).toBe(false);
  wakes.commandEnded(end('8'));
  expect(wakes.due()).toBe(true);
  expect(turn({ alone: true })).toHaveLength(2);
});

test('turns that ends start in a row keep a growing distance, until a person speaks', () => {
  const waits: number[] = [];
  for (let n = 0; n < 80; n++) {
    wakes.commandEnded(end());
    const before = Date.now();
    while (!wakes.due()) vi.advanceTimersToNextTimer();
    waits.push(Date.now() - before);
    turn({ alone: true });
  }
  expect(waits.slice(0, 4)).toEqual([0, 0, 1000, 2000]);
  expect(waits.at(-1)).toBe(60_000);

  wakes.commandEnded(end());
  turn({ alone: false });
  wakes.commandEnded(end());
  expect(wakes.due()).toBe(true);
});

test('the wait for its turn ends with a call, and a clock does not wait', () => {
  for (let n = 0; n < 3; n++) {
    wakes.commandEnded(end());
    turn({ alone: true });
  }
  wakes.commandEnded(end());
  expect(wakes.due()).toBe(false);
  woken = 0;
  vi.advanceTimersByTime(2000);
  expect(woken).toBe(1);
  expect(wakes.due()).toBe(true);
  turn({ alone: true });
  wakes.clockRang(1);
  expect(wakes.due()).toBe(true);
});

test('a session that leaves is woken by nothing', () => {
  wakes.commandEnded(end());
  wakes.leave();
  wakes.commandEnded(end('8'));
  expect(woken).toBe(1);
  expect(wakes.due()).toBe(false);
});
