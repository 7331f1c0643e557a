import type { Clock, EventBody } from '@tscodex/shared/events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SessionRowPatch } from '../session-rows.ts';
import { WakeClock } from './wake-clock.ts';

const NOW = '2026-01-01T12:00:00.000Z';
beforeEach(() => {
  vi.useFakeTimers({ now: new Date(NOW) });
});
afterEach(() => {
  vi.useRealTimers();
});

function openClock(stored: Clock | null = null) {
  const saved: unknown[] = [];
  const shown: unknown[] = [];
  let rung = 0;
  const clock = new WakeClock(
    {
      store: { update: async ({ clock }: SessionRowPatch) => void saved.push(clock) },
      emit: (event: EventBody) => event.type === 'background.updated' && shown.push(event.clock),
      ring: () => rung++,
      fault: (what, error) => {
        throw new Error(`${what}: ${error}`);
      },
    },
    stored,
  );
  return { clock, saved, shown, rung: () => rung };
}
const minutes = (n: number) => vi.advanceTimersByTime(n * 60_000);

test('it rings a period after the agent has come to rest, and not while it works', async () => {
  const { clock, saved, shown, rung } = openClock();
  await clock.set(5);
  minutes(60);
  expect(rung()).toBe(0);
  clock.arm();
  minutes(4.9);
  clock.halt();
  minutes(60);
  expect(rung()).toBe(0);
  clock.arm();
  minutes(5);
  expect(rung()).toBe(1);
  // once, until it is wound again
  minutes(60);
  clock.arm();
  expect(rung()).toBe(1);
  const idle = { periodMinutes: 5, nextAt: null };
  const at = (nextAt: string) => ({ periodMinutes: 5, nextAt });
  expect(shown).toEqual([idle, at('2026-01-01T13:05:00.000Z'), idle, at('2026-01-01T14:09:54.000Z')]);
  expect(saved).toEqual(shown);
});

test('the time at which it has rung stays saved until the agent has been told', async () => {
  const { clock, saved } = openClock();
  await clock.set(5);
  clock.arm();
  minutes(5);
  clock.halt();
  expect(saved.at(-1)).toEqual({ periodMinutes: 5, nextAt: '2026-01-01T12:05:00.000Z' });
  clock.told();
  expect(saved.at(-1)).toEqual({ periodMinutes: 5, nextAt: null });
});

test('null ends it', async () => {
  const { clock, shown, rung } = openClock();
  await clock.set(5);
  clock.arm();
  await clock.set(null);
  minutes(60);
  clock.arm();
  minutes(60);
  expect(rung()).toBe(0);
  expect(clock.isSet).toBe(false);
  expect(shown.at(-1)).toBeNull();
  await clock.set(null);
  expect(shown).toHaveLength(3);
});

test('one that was saved goes on where it was; one whose time has come meanwhile rings at once', () => {
  const later = openClock({ periodMinutes: 30, nextAt: '2026-01-01T12:10:00.000Z' });
  later.clock.arm();
  minutes(9);
  expect(later.rung()).toBe(0);
  minutes(1);
  expect(later.rung()).toBe(1);

  const over = openClock({ periodMinutes: 30, nextAt: '2026-01-01T09:00:00.000Z' });
  over.clock.arm();
  minutes(0);
  expect(over.rung()).toBe(1);
});

test('where turns fail one after the other the pauses grow, up to an hour or the period', () => {
  const pauses = (periodMinutes: number) => {
    const { clock, shown } = openClock({ periodMinutes, nextAt: null });
    return [0, 1, 2, 3, 4, 5].map((failures) => {
      if (failures > 0) clock.turnEnded('failed');
      clock.halt();
      clock.arm();
      const { nextAt } = shown.at(-1) as Clock;
      return (Date.parse(nextAt ?? '') - Date.now()) / 60_000;
    });
  };
  expect(pauses(5)).toEqual([5, 10, 20, 40, 60, 60]);
  expect(pauses(90)).toEqual([90, 90, 90, 90, 90, 90]);
});

test('a session that leaves keeps what is saved and rings no more', async () => {
  const { clock, saved, rung } = openClock();
  await clock.set(5);
  clock.arm();
  clock.leave();
  minutes(60);
  expect(rung()).toBe(0);
  expect(saved.at(-1)).toEqual({ periodMinutes: 5, nextAt: '2026-01-01T12:05:00.000Z' });
});
