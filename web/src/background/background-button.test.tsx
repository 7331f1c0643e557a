// @vitest-environment happy-dom
import type { BackgroundCommand } from '@tscodex/shared/events';
import { afterEach, expect, test, vi } from 'vitest';
import { button, click, mount, query } from '../conversation/testing.ts';
import { type Services, ServicesContext } from '../state/services.ts';
import { BackgroundButton } from './background-button.tsx';

const startedAt = '2026-01-01T10:00:00.000Z';
const dev: BackgroundCommand = { processId: '7', itemId: 'i', command: 'npm run dev', startedAt };
const tail: BackgroundCommand = { processId: '8', itemId: 'j', command: 'tail -f log', startedAt };
const json = vi.fn<(method: string, path: string) => Promise<unknown>>();
let unmount: () => void = () => undefined;
afterEach(() => unmount());

function show(commands: BackgroundCommand[]) {
  json.mockReset();
  const view = (now: BackgroundCommand[]) => (
    <ServicesContext value={{ api: { json } } as unknown as Services}>
      <BackgroundButton session="s1" commands={now} />
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
  expect(document.activeElement).toBe(query('[role="dialog"]'));
  render([]);
  expect(query('[role="dialog"]')).toBeNull();
});

test('the next one that is left running opens nothing by itself', async () => {
  const render = show([dev]);
  await click(button('1 command runs in the background'));
  render([]);
  render([tail]);
  expect(query('[role="dialog"]')).toBeNull();
  expect(document.activeElement).toBe(document.body);
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
