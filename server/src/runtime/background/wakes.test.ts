import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BackgroundEnd } from '../../exec/running-process.ts';
import { Wakes } from './wakes.ts';

let woken = 0;
let wakes: Wakes;
beforeEach(() => {
  vi.useFakeTimers();
  woken = 0;
  const saved = { commands: [], held: false, inRow: 0 };
  wakes = new Wakes({ wake: () => woken++, changed: () => undefined }, { saved, ends: [], quiet: false });
});
afterEach(() => {
  wakes.leave();
  vi.useRealTimers();
});

const end = (processId = '7'): BackgroundEnd => ({
  ...{ processId, itemId: `item-${processId}`, command: 'npm test', read: false },
  exit: { exitCode: 0, signal: null },
});

/** A turn that takes what waits. */
function turn(how: { alone: boolean }) {
  const taken = wakes.pending();
  wakes.delivered(taken, how.alone);
  wakes.turnEnded();
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
  wakes.turnEnded();
  expect(wakes.due()).toBe(true);
  expect(wakes.pending()).toHaveLength(1);
});

test('while it is held nothing starts a turn, and all goes along with what a person says', () => {
  wakes.commandEnded(end('7'));
  wakes.hold();
  expect([wakes.due(), wakes.waits]).toEqual([false, false]);
  wakes.commandEnded(end('8'));
  wakes.clockRang(5);
  expect(wakes.due()).toBe(false);
  expect(turn({ alone: false })).toHaveLength(3);
  wakes.commandEnded(end('9'));
  expect(wakes.due()).toBe(true);
});

test('ends from before a restart of a turn that was cut start none, but the next end does', () => {
  const saved = { commands: [], held: false, inRow: 0 };
  const ports = { wake: () => woken++, changed: () => undefined };
  const kept = new Wakes(ports, { saved, ends: [end('7')], quiet: true });
  expect([kept.due(), kept.waits]).toEqual([false, false]);
  kept.commandEnded(end('8'));
  expect(kept.due()).toBe(true);
  expect(kept.pending()).toHaveLength(2);
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
  expect(waits.at(-1)).toBe(300_000);

  wakes.commandEnded(end());
  turn({ alone: false });
  wakes.commandEnded(end());
  expect(wakes.due()).toBe(true);
});

test('the wait for its turn ends with a call, and a clock waits, too', () => {
  for (let n = 0; n < 3; n++) {
    wakes.commandEnded(end());
    turn({ alone: true });
  }
  expect(wakes.waits).toBe(false);
  wakes.commandEnded(end());
  expect([wakes.due(), wakes.waits]).toEqual([false, true]);
  woken = 0;
  vi.advanceTimersByTime(2000);
  expect(woken).toBe(1);
  expect(wakes.due()).toBe(true);
  turn({ alone: true });
  wakes.clockRang(1);
  expect(wakes.due()).toBe(false);
  wakes.release();
  expect(wakes.due()).toBe(true);
});

test('a session that leaves is woken by nothing', () => {
  wakes.commandEnded(end());
  wakes.leave();
  wakes.commandEnded(end('8'));
  expect(woken).toBe(1);
  expect(wakes.due()).toBe(false);
});
