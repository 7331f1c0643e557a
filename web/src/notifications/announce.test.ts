import { afterEach, expect, test, vi } from 'vitest';
import { type Announcing, announce } from './announce.ts';
import type { Notice } from './browser-notices.ts';
import { DeviceLocks } from './device-locks.ts';
import type { Kind, News } from './news.ts';
import { startingSettings, withMuted } from './settings.ts';

const on = { ...startingSettings, on: true };
const news = (id: string, kind: Kind = 'done'): News => ({
  key: `${kind} ${id}`,
  kind,
  workspace: { id: 'w', name: 'Lab' },
  session: { id, title: `Title ${id}` },
  ask: kind === 'waiting' ? { id: `ask ${id}`, kind: 'question' } : null,
});

/** What the tabs of a browser share. */
function browser() {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const held = new Set<string>();
  let line = Promise.resolve<unknown>(undefined);
  const locks = {
    request: (name: string, ...rest: unknown[]) => {
      const work = rest.at(-1) as () => unknown;
      if (rest.length > 1) {
        held.add(name);
        return Promise.resolve(work()).finally(() => held.delete(name));
      }
      line = line.then(work);
      return line;
    },
    query: async () => ({ held: [...held].map((name) => ({ name })), pending: [] }),
  } as unknown as LockManager;
  return () => new DeviceLocks('/', storage, locks);
}

const shown: Notice[] = [];
afterEach(() => void shown.splice(0));
function tab(locks: DeviceLocks, settings = on, open: Announcing['open'] = () => undefined) {
  return (...found: News[]) =>
    announce(found, { settings, locks, show: (notice) => shown.push(notice), open });
}
const told = () => shown.map(({ title, body }) => `${title}: ${body}`);

test('a piece of news is one notification, which leads there', async () => {
  const open = vi.fn();
  await tab(browser()(), on, open)(news('a', 'waiting'));
  expect(told()).toEqual(['Title a: Has a question for you · Lab']);
  shown[0]?.onClick();
  expect(open).toHaveBeenCalledWith(news('a', 'waiting'));
});

test('much at once is one notification, which leads to all of it', async () => {
  const open = vi.fn();
  await tab(browser()(), on, open)(news('a'), news('b', 'failed'), news('c'));
  expect(told()).toEqual(['3 new things in your sessions: Title a\nTitle b\nTitle c']);
  shown[0]?.onClick();
  expect(open).toHaveBeenCalledWith(null);
});

test.each([
  ['off', startingSettings, []],
  ['without this kind', { ...on, kinds: { ...on.kinds, done: false } }, []],
  ['with this session muted', withMuted(on, 'a', true), []],
  ['with another one muted', withMuted(on, 'b', true), ['Title a: Done · Lab']],
  ['with it unmuted again', withMuted(withMuted(on, 'a', true), 'a', false), ['Title a: Done · Lab']],
])('%s', async (_how, settings, expected) => {
  await tab(browser()(), settings)(news('a'));
  expect(told()).toEqual(expected);
});

test('of several tabs one tells, and none tells again', async () => {
  const locks = browser();
  const [one, two] = [tab(locks()), tab(locks())];
  await Promise.all([one(news('a')), two(news('a'))]);
  expect(told()).toEqual(['Title a: Done · Lab']);
  await two(news('a'), news('b'));
  expect(told()).toEqual(['Title a: Done · Lab', 'Title b: Done · Lab']);
});

test('what is in view in any tab is not told, until that tab looks away', async () => {
  const locks = browser();
  const stop = locks().look('a');
  await tab(locks())(news('a'));
  expect(told()).toEqual([]);
  stop();
  await Promise.resolve();
  await new Promise((resolve) => setTimeout(resolve));
  await tab(locks())(news('a', 'failed'));
  expect(told()).toEqual(['Title a: Failed · Lab']);
});

const refused = () => Promise.reject(new DOMException('refused', 'SecurityError'));
test.each([
  ['without locks', undefined],
  ['where the browser refuses them', { request: refused, query: refused } as unknown as LockManager],
])('%s a tab is on its own, and still tells once', async (_where, locks) => {
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  const alone = new DeviceLocks('/', storage, locks);
  const stop = alone.look('b');
  await tab(alone)(news('a'), news('b'));
  expect(told()).toEqual(['Title a: Done · Lab']);
  stop();
  await tab(alone)(news('b'));
  expect(told()).toEqual(['Title a: Done · Lab', 'Title b: Done · Lab']);
});
