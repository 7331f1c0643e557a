import { expect, test } from 'vitest';
import { dayGroups } from './day-groups.ts';
import { entry } from './testing.ts';

/** Local times, as the days are the reader's. */
const at = (day: number, hour = 12, month = 5) => new Date(2026, month, day, hour).toISOString();
const NOW = new Date(2026, 5, 20, 9);

test('the newest days have names, what is older its month; empty ones are not there', () => {
  const sessions = [
    entry('ahead', { lastActivityAt: at(20, 23) }),
    entry('today', { lastActivityAt: at(20, 0) }),
    entry('yesterday', { lastActivityAt: at(19, 23) }),
    entry('in the week', { lastActivityAt: at(13, 0) }),
    entry('in the month', { lastActivityAt: at(12, 23) }),
    entry('long ago', { lastActivityAt: at(30, 12, 0) }),
    entry('with it', { lastActivityAt: at(2, 12, 0) }),
  ];
  expect(dayGroups(sessions, NOW).map(({ title, sessions: of }) => [title, of.map(({ id }) => id)])).toEqual([
    ['Today', ['ahead', 'today']],
    ['Yesterday', ['yesterday']],
    ['The last 7 days', ['in the week']],
    ['June 2026', ['in the month']],
    ['January 2026', ['long ago', 'with it']],
  ]);
  expect(dayGroups([], NOW)).toEqual([]);
});
