// @vitest-environment happy-dom
import type { BackgroundCommand } from '@tscodex/shared/events';
import { afterEach, expect, test } from 'vitest';
import { mount, query, session } from '../conversation/testing.ts';
import { StatusPill } from './status-pill.tsx';

let unmount: () => void = () => undefined;
afterEach(() => unmount());

const command = (line: string): BackgroundCommand => ({
  ...{ processId: line, itemId: line, command: line, startedAt: '2026-01-01T10:00:00.000Z' },
});
const nextAt = new Date(2026, 0, 1, 14, 32).toISOString();

test.each([
  ['the command', [command('npm\n  test')], null, /^waiting for npm test$/],
  ['several', [command('npm test'), command('b'), command('c')], null, /^waiting for npm test and 2 more$/],
  ['a long one', [command('x'.repeat(500))], null, /^waiting for x{500}$/],
  ['a command rather than the clock', [command('b')], { periodMinutes: 5, nextAt }, /^waiting for b$/],
  ['the clock', [], { periodMinutes: 5, nextAt }, /^next wake Jan 1.*2:32.PM$/],
  ['what is not known', [], { periodMinutes: 5, nextAt: null }, /^sleeping$/],
])('a sleeping session says what it waits for: %s', (_what, background, clock, words) => {
  const state = session({ status: 'sleeping', background, clock });
  unmount = mount(<StatusPill state={state} connection="live" />).unmount;
  expect(query('[role="status"]')?.textContent).toMatch(words);
});
