// @vitest-environment happy-dom
import type { BackgroundCommand, Clock } from '@tscodex/shared/events';
import { afterEach, expect, test, vi } from 'vitest';
import { button, click, mount, query } from '../conversation/testing.ts';
import { type Services, ServicesContext } from '../state/services.ts';
import { BackgroundButton } from './background-button.tsx';

const startedAt = '2026-01-01T10:00:00.000Z';
const dev: BackgroundCommand = { processId: '7', itemId: 'i', command: 'npm run dev', startedAt };
const tail: BackgroundCommand = { processId: '8', itemId: 'j', command: 'tail -f log', startedAt };
const onLastEnded = vi.fn();
const json = vi.fn<(method: string, path: string) => Promise<unknown>>();
let unmount: () => void = () => undefined;
afterEach(() => unmount());

function show(commands: BackgroundCommand[], clock: Clock | null = null) {
  json.mockReset();
  onLastEnded.mockReset();
  const view = (background: BackgroundCommand[]) => (
    <ServicesContext value={{ api: { json } } as unknown as Services}>
      <BackgroundButton
        state={{ id: 's1', workspaceId: 'w', background, clock, agents: [] }}
        onLastEnded={onLastEnded}
      />
    </ServicesContext>
  );
  const mounted = mount(view(commands));
  unmount = mounted.unmount;
  return (now: BackgroundCommand[]) => mounted.render(view(now));
}
const listed = () => [...document.querySelectorAll('li code')].map((code) => code.textContent);

test('nothing is there while nothing runs', () => {
  show([]);
  expect(query('button')).toBeNull();
});

test('each is listed with a Stop of its own, and leaves the list once it has ended', async () => {
  const render = show([dev, tail]);
  json.mockResolvedValue(undefined);
  await click(button('2 commands run in the background'));
  expect(listed()).toEqual(['npm run dev', 'tail -f log']);
  button('Stop: tail -f log').focus();
  await click(button('Stop: tail -f log'));
  expect(json.mock.calls).toEqual([['DELETE', 'api/sessions/s1/background/8']]);
  render([dev]);
  expect(listed()).toEqual(['npm run dev']);
  await vi.waitFor(() => expect(document.activeElement).toBe(button('Stop: npm run dev')));
  expect(onLastEnded).not.toHaveBeenCalled();
  render([]);
  expect(query('[role="dialog"]')).toBeNull();
  expect(onLastEnded).toHaveBeenCalledOnce();
});

test('the next one that is left running opens nothing by itself', async () => {
  const render = show([dev]);
  await click(button('1 command runs in the background'));
  render([]);
  render([tail]);
  expect(query('[role="dialog"]')).toBeNull();
  expect(document.activeElement).toBe(document.body);
});

test('who is elsewhere when the last one ends stays there', async () => {
  const render = show([dev]);
  await click(button('1 command runs in the background'));
  button('1 command runs in the background').focus();
  button('1 command runs in the background').blur();
  render([]);
  expect(onLastEnded).not.toHaveBeenCalled();
});

test('one that could not be stopped says why', async () => {
  show([dev]);
  json.mockRejectedValue(new Error('It runs no more.'));
  await click(button('1 command runs in the background'));
  await click(button('Stop: npm run dev'));
  expect(query('[role="alert"]')?.textContent).toBe('Not stopped. It runs no more.');
});

test('no command hides what it is', async () => {
  show([{ ...dev, command: 'npm \u202enur' }]);
  await click(button('1 command runs in the background'));
  expect(query('li [data-shows]')?.dataset.shows).toBe('U+202E');
});

test('the clock is listed with the time of the next wake, and has a Stop of its own', async () => {
  const next = new Date(2026, 0, 1, 14, 32);
  show([], { periodMinutes: 5, nextAt: next.toISOString() });
  json.mockResolvedValue(undefined);
  await click(button('Wakes the agent every 5 min'));
  expect(query('li')?.textContent).toMatch(/^Wakes the agent every 5 minnext Jan 1 (14:32|0?2:32.PM)/);
  await click(button('Stop the clock'));
  expect(json.mock.calls).toEqual([['DELETE', 'api/sessions/s1/clock']]);
});

test.each([
  [60, 'Wakes the agent every hour'],
  [120, 'Wakes the agent every 2 hours'],
  [90, 'Wakes the agent every 90 min'],
  [10_080, 'Wakes the agent every 7 days'],
])('a period of %i minutes', (periodMinutes, words) => {
  show([], { periodMinutes, nextAt: null });
  expect(query('button')?.getAttribute('aria-label')).toBe(words);
});

test('a clock beside commands, and one that waits for the end of a turn', () => {
  show([dev, tail], { periodMinutes: 1, nextAt: null });
  expect(query('button')?.getAttribute('aria-label')).toBe(
    '2 commands run in the background · Wakes the agent every minute',
  );
});
