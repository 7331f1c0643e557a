// @vitest-environment happy-dom
import type { SessionState } from '@tscodex/shared/session-state';
import { afterEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand';
import { button, click, mount, press, query, server, session } from '../conversation/testing.ts';
import { settingsStore } from '../notifications/settings.ts';
import { NotificationsContext } from '../notifications/use-notifications.ts';
import { type Services, ServicesContext } from '../state/services.ts';
import { SessionHeader } from './session-header.tsx';

let unmount: () => void = () => undefined;
afterEach(() => unmount());

const move = { up: null, down: vi.fn<() => void>() };
const settings = settingsStore('here', {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
});
const services = { overview: createStore(() => ({ workspaces: [] })) } as unknown as Services;
const page = (id: string, onRename = vi.fn<(title: string) => void>(), more: Partial<SessionState> = {}) => (
  <ServicesContext value={services}>
    <NotificationsContext value={settings}>
      <SessionHeader
        title={`Title of ${id}`}
        state={session({ id, ...more })}
        actions={server()}
        held={null}
        demo={false}
        onRename={onRename}
        onLeave={() => undefined}
        onFind={() => undefined}
        onFocusLost={() => undefined}
        move={move}
      />
    </NotificationsContext>
  </ServicesContext>
);
const show = (id: string) => {
  const mounted = mount(page(id));
  unmount = mounted.unmount;
  return mounted;
};
const choose = async (name: string) => {
  await click(button('Session menu'));
  await click(button(name));
};
const field = () => query<HTMLInputElement>('input[aria-label="Title of the session"]');

test('a rename that was begun in one session is not one of the next, nor goes on later', async () => {
  const { render } = show('a');
  await choose('Rename…');
  expect(field()?.value).toBe('Title of a');
  render(page('b'));
  expect(field()).toBeNull();
  render(page('a'));
  expect(field()).toBeNull();
});

test('ended by a key, it leaves the focus on the menu it came from', async () => {
  show('a');
  await choose('Rename…');
  expect(document.activeElement).toBe(field());
  await press(field() as HTMLInputElement, 'Escape');
  expect(document.activeElement).toBe(button('Session menu'));
});

test('the menu moves a session where there is a place for it', async () => {
  show('a');
  await click(button('Session menu'));
  expect(() => button('Move up')).toThrow();
  await click(button('Move down'));
  expect(move.down).toHaveBeenCalledTimes(1);
});

test.each([
  ['native', undefined],
  ['codex', 'Codex'],
  ['codex-exec', 'codex exec'],
])('of a session on %s it names the program that drives it', (backend, program) => {
  unmount = mount(page('a', undefined, { backend, model: 'gpt-5.5' })).unmount;
  const facts = [...document.querySelectorAll('header p > span')].map(({ textContent }) => textContent);
  expect(facts).toEqual(program === undefined ? ['gpt-5.5'] : ['gpt-5.5', program]);
});
