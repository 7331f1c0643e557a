// @vitest-environment happy-dom
import type { CatalogEntry, CatalogPage, SearchResult } from '@tscodex/shared/catalog';
import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { act } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { ApiProblem } from '../api/http.ts';
import { button, click, mount, press, query, type } from '../conversation/testing.ts';
import { AimContext, aimStore } from '../state/aim.ts';
import { type Services, ServicesContext } from '../state/services.ts';
import { CatalogDialog } from './catalog-dialog.tsx';
import { entry } from './testing.ts';

type Asked = { method: string; path: string; body: unknown; signal: AbortSignal | undefined };
type Answers = Record<string, unknown | ((asked: Asked) => unknown)>;

const page = (sessions: CatalogEntry[], more: Partial<CatalogPage> = {}): CatalogPage => ({
  sessions,
  next: null,
  indexing: null,
  ...more,
});
const said = (sessions: SearchResult['sessions'], cut = false): SearchResult => ({
  sessions,
  cut,
  indexing: null,
});
const LIST = 'GET api/catalog?';

type Told = { workspaces: Partial<WorkspaceSummary>[]; problem: null; config: null };
let overview: StoreApi<Told>;
let asked: Asked[] = [];
let answers: Answers = {};
let unmount: () => void = () => undefined;
/** Tells that the end of the list has come near. */
let nearEnd: () => void = () => undefined;
const place = memoryLocation({ path: '/w/w/', record: true });
const onOpened = vi.fn<(session: string) => void>();
const onLeft = vi.fn<(session: { id: string }, how: string, tabIn: string | null) => void>();
const onBack = vi.fn<(session: string) => void>();
const onClose = vi.fn<() => void>();

// what is in the window is fetched when it opens
beforeAll(() => import('./all-sessions.tsx'));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  asked = [];
  vi.clearAllMocks();
  place.reset?.();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
        nearEnd = () => tell([{ isIntersecting: true }]);
      }
      observe = () => undefined;
      disconnect = () => {
        nearEnd = () => undefined;
      };
    },
  );
});
afterEach(() => {
  unmount();
  sessionStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function json(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
  const question = { method, path, body, signal };
  asked.push(question);
  const answer = answers[`${method} ${path}`];
  if (answer === undefined && method === 'GET') throw new ApiProblem('x', `no answer to ${path}`, 500);
  const told = typeof answer === 'function' ? await answer(question) : answer;
  if (told instanceof Error) throw told;
  return told;
}

async function show(workspaceId: string | null = 'w', workspaces: Partial<WorkspaceSummary>[] = []) {
  overview = createStore<Told>(() => ({ workspaces, problem: null, config: null }));
  const services = { api: { json, base: new URL('http://box/') }, overview } as unknown as Services;
  await act(async () => {
    unmount = mount(
      <Router hook={place.hook} searchHook={place.searchHook}>
        <ServicesContext value={services}>
          <AimContext value={aimStore()}>
            <CatalogDialog {...{ workspaceId, onOpened, onLeft, onBack, onClose }} />
          </AimContext>
        </ServicesContext>
      </Router>,
    ).unmount;
    await vi.dynamicImportSettled();
  });
}

const field = () => query<HTMLInputElement>('input[role=combobox]') as HTMLInputElement;
const rows = () => [...document.querySelectorAll('[role=row]')];
/** The lines by what they open; those without a link by their words. */
const lines = () => rows().map((row) => row.querySelector('a')?.getAttribute('href') ?? row.textContent);
const marked = () => rows().findIndex((row) => row.getAttribute('aria-selected') === 'true');
const pass = (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms));
const paths = () => asked.map(({ method, path }) => `${method} ${path}`);
const alert = () => query('[role=alert]')?.textContent;
async function choose(name: string, entryName: string) {
  await click(button(`What to do with “${name}”`));
  await click(button(entryName));
}

test('the sessions are there with what tells them apart, newest first; Enter opens the first, arrows others', async () => {
  const now = new Date().toISOString();
  answers = {
    [LIST]: page([
      entry('a', { title: 'Parser', lastActivityAt: now, open: true }),
      entry('b', {
        title: null,
        preview: '修好它',
        originator: 'codex_cli_rs',
        cwd: '/srv/其他',
        lastActivityAt: now,
      }),
      entry('c', { archived: true }),
    ]),
    'POST api/workspaces/w/sessions': {},
  };
  await show();
  expect(document.activeElement).toBe(field());
  expect(rows().map((row) => row.querySelector('a')?.textContent)).toEqual([
    'Parseropennow~/labtscodex',
    '修好它now/srv/其他Codex',
    'carchivedJan 1~/labtscodex',
  ]);
  expect(document.querySelectorAll('[role=rowgroup]')).toHaveLength(2);

  await press(field(), 'ArrowDown');
  expect(marked()).toBe(1);
  expect(field().getAttribute('aria-activedescendant')).toBe(rows()[1]?.querySelector('[role=gridcell]')?.id);
  await press(field(), 'Enter');
  // it has no tab yet
  expect(asked.at(-1)).toMatchObject({ path: 'api/workspaces/w/sessions', body: { resume: 'b' } });
  expect(onOpened.mock.calls).toEqual([['b']]);
  expect(place.history.at(-1)).toBe('/w/w/?session=b');
});

test('one that is open is only gone to, in the workspace where it is', async () => {
  answers = { [LIST]: page([entry('a', { open: true, workspaceId: 'other' })]) };
  await show();
  await press(field(), 'Enter');
  expect(paths()).toEqual([LIST]);
  expect(place.history.at(-1)).toBe('/w/other/?session=a');
});

test('why one cannot be opened is said, and the list stays', async () => {
  answers = {
    [LIST]: page([entry('a')]),
    'POST api/workspaces/w/sessions': new ApiProblem('x', 'The directory is gone.', 409),
  };
  await show();
  await press(field(), 'Enter');
  expect(alert()).toBe('Not opened. The directory is gone.');
  expect(onOpened).not.toHaveBeenCalled();
  expect(rows()).toHaveLength(1);
});

test('one of no workspace is opened where one is; where one is in none, in one that is chosen', async () => {
  answers = {
    [LIST]: page([entry('a', { workspaceId: null })]),
    'POST api/workspaces/two/sessions': {},
  };
  await show('here');
  expect(lines()).toEqual(['/w/here/?session=a']);
  unmount();

  const workspaces = [
    { id: 'one', name: 'One', dir: '~/1', sessions: [] },
    { id: 'two', name: 'Two', dir: '~/2', sessions: [] },
  ];
  await show(null, workspaces);
  await press(field(), 'Enter');
  expect(query('dialog')?.textContent).toContain('Open it in:');
  await click(button('Two~/2'));
  expect(place.history.at(-1)).toBe('/w/two/?session=a');
});

test('words are asked for once they rest: titles, and what was said with its places', async () => {
  const snippet = [
    { text: '我们修好了', hit: false },
    { text: '解析器', hit: true },
  ];
  const hit = { itemId: 'i1', by: 'agent' as const, at: '2026-01-01T00:00:00.000Z', snippet };
  answers = {
    [LIST]: page([entry('a')]),
    'GET api/catalog?q=%E8%A7%A3%E6%9E%90%E5%99%A8&limit=6': page([entry('t')]),
    'GET api/search?q=%E8%A7%A3%E6%9E%90%E5%99%A8': said(
      [{ session: entry('s'), hits: [hit], more: 1 }],
      true,
    ),
    'POST api/workspaces/w/sessions': {},
  };
  await show();
  await type(field(), '解');
  await pass(100);
  await type(field(), '解析器 ');
  await pass(149);
  // what stands there has no answer yet
  await press(field(), 'Enter');
  expect(onOpened).not.toHaveBeenCalled();
  await pass(1);
  expect(paths()).toEqual([
    LIST,
    'GET api/catalog?q=%E8%A7%A3%E6%9E%90%E5%99%A8&limit=6',
    'GET api/search?q=%E8%A7%A3%E6%9E%90%E5%99%A8',
  ]);
  expect(lines()).toEqual(['/w/w/?session=t', '/w/w/?session=s', '/w/w/?session=s&item=i1']);
  expect(query('mark')?.textContent).toBe('解析器');
  expect(query('dialog')?.textContent).toContain('2 places');
  expect(query('dialog')?.textContent).toContain('More words find less');
  expect(query('[role=status]')?.textContent).toBe('At least 2 sessions found');

  await press(field(), 'PageDown');
  await press(field(), 'Enter');
  expect(place.history.at(-1)).toBe('/w/w/?session=s&item=i1');
});

test('what a sub-agent said is marked so, and opens in its own session once the one above is open', async () => {
  const snippet = [{ text: 'needle', hit: true }];
  const at = '2026-01-01T00:00:00.000Z';
  const hit = { session: 'child', itemId: 'i1', by: 'agent' as const, at, snippet };
  answers = {
    [LIST]: page([entry('a')]),
    'GET api/catalog?q=needle&limit=6': page([]),
    'GET api/search?q=needle': said([{ session: entry('s'), hits: [hit], more: 0 }]),
    'POST api/workspaces/w/sessions': {},
  };
  await show();
  await type(field(), 'needle');
  await pass(150);
  expect(lines()).toEqual(['/w/w/?session=s', '/w/w/?session=child&item=i1']);
  expect(query('dialog')?.textContent).toContain('a sub-agent');
  await press(field(), 'PageDown');
  await press(field(), 'Enter');
  expect(asked.at(-1)).toMatchObject({ path: 'api/workspaces/w/sessions', body: { resume: 's' } });
  expect(place.history.at(-1)).toBe('/w/w/?session=child&item=i1');
});

test('O-F2: nothing is asked and nothing opened while an input method composes', async () => {
  answers = { [LIST]: page([entry('a')]) };
  await show();
  await act(async () => {
    field().dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
  });
  await type(field(), "jie'xi");
  await pass(1_000);
  await press(field(), 'Enter', { isComposing: true, keyCode: 229 });
  await press(field(), 'ArrowDown', { keyCode: 229 });
  expect(paths()).toEqual([LIST]);
  expect(onOpened).not.toHaveBeenCalled();
  await type(field(), '解析');
  await act(async () => {
    field().dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
  });
  await pass(150);
  expect(paths()).toContain('GET api/search?q=%E8%A7%A3%E6%9E%90');
});

test('an answer that comes after the next question is dropped, and its request given up', async () => {
  let answerLate: (late: CatalogPage) => void = () => undefined;
  answers = {
    [LIST]: page([]),
    'GET api/catalog?q=a&limit=6': () =>
      new Promise((resolve) => {
        answerLate = resolve;
      }),
    'GET api/search?q=a': said([]),
    'GET api/catalog?q=ab&limit=6': page([entry('right')]),
    'GET api/search?q=ab': said([]),
  };
  await show();
  await type(field(), 'a');
  await pass(150);
  const late = asked.find(({ path }) => path === 'api/catalog?q=a&limit=6');
  await type(field(), 'ab');
  await pass(150);
  expect(late?.signal?.aborted).toBe(true);
  await act(async () => answerLate(page([entry('wrong')])));
  expect(lines()).toEqual(['/w/w/?session=right']);
});

test('pages follow as the end comes near, each session once; one that fails is asked for again by hand', async () => {
  answers = {
    [LIST]: page([entry('a'), entry('b')], { next: 'one' }),
    'GET api/catalog?cursor=one': page([entry('b'), entry('c')], { next: 'two' }),
    'GET api/catalog?cursor=two': new ApiProblem('x', 'Busy.', 503),
  };
  await show();
  await act(async () => nearEnd());
  expect(lines()).toEqual(['a', 'b', 'c'].map((id) => `/w/w/?session=${id}`));
  await act(async () => nearEnd());
  expect(alert()).toContain('The sessions could not be listed. Busy.');
  expect(lines()).toHaveLength(3);
  answers['GET api/catalog?cursor=two'] = page([entry('d')]);
  await click(button('Try again'));
  expect(lines()).toHaveLength(4);
  expect(query('[role=alert]')).toBeNull();
});

test('a scope is asked for, the workspace’s and the archived ones', async () => {
  answers = {
    [LIST]: page([entry('a')]),
    'GET api/catalog?workspace=w': page([]),
    'GET api/catalog?archived=true': page([entry('old', { archived: true })]),
    'GET api/catalog?archived=true&q=x&limit=6': page([]),
    'GET api/search?q=x&archived=true': said([
      { session: entry('old', { archived: true }), hits: [], more: 0 },
    ]),
  };
  await show();
  await click(button('This workspace'));
  expect(query('dialog')?.textContent).toContain('No sessions in this workspace yet.');
  await click(button('Archived'));
  expect(lines()).toEqual(['/w/w/?session=old']);
  await type(field(), 'x');
  await pass(150);
  expect(lines()).toEqual(['/w/w/?session=old']);
});

test('outside of a workspace there is no “this”', async () => {
  answers = { [LIST]: page([]) };
  await show(null);
  expect(() => button('This workspace')).toThrow();
  expect(query('dialog')?.textContent).toContain('No sessions yet.');
});

test('a deleted session keeps its line, and is taken back with its tab', async () => {
  answers = {
    [LIST]: page([entry('a', { open: true }), entry('b')]),
    'DELETE api/catalog/a': { restorableUntil: '2027' },
    'POST api/catalog/a/restore': undefined,
    'POST api/workspaces/w/sessions': {},
  };
  await show();
  await choose('a', 'Delete');
  expect(onLeft.mock.lastCall).toMatchObject([{ id: 'a' }, 'deleted', 'w']);
  expect(lines()).toEqual(['Deleted “a”Undo', '/w/w/?session=b']);
  // there is nothing to open
  await press(field(), 'Enter');
  expect(onOpened).not.toHaveBeenCalled();
  await click(button('Undo'));
  expect(asked.slice(-2).map(({ path }) => path)).toEqual([
    'api/catalog/a/restore',
    'api/workspaces/w/sessions',
  ]);
  expect(onBack.mock.calls).toEqual([['a']]);
  expect(lines()).toEqual(['/w/w/?session=a', '/w/w/?session=b']);
});

test('of a session that is deleted what was found in it goes, and it does not count any more', async () => {
  const hit = { itemId: 'i', by: 'agent' as const, at: '2026-01-01T00:00:00.000Z', snippet: [] };
  answers = {
    [LIST]: page([entry('a')]),
    'GET api/catalog?q=word&limit=6': page([]),
    'GET api/search?q=word': said([
      { session: entry('a'), hits: [hit], more: 0 },
      { session: entry('b'), hits: [hit], more: 0 },
    ]),
    'DELETE api/catalog/a': { restorableUntil: '2027' },
    'POST api/catalog/a/restore': undefined,
  };
  const all = ['a', 'b'].flatMap((id) => [`/w/w/?session=${id}`, `/w/w/?session=${id}&item=i`]);
  await show();
  await type(field(), 'word');
  await pass(150);
  expect([lines(), query('[role=status]')?.textContent]).toEqual([all, '2 sessions found']);
  await choose('a', 'Delete');
  expect(lines()).toEqual(['Deleted “a”Undo', ...all.slice(2)]);
  expect(query('[role=status]')?.textContent).toBe('1 session found');
  await click(button('Undo'));
  expect([lines(), query('[role=status]')?.textContent]).toEqual([all, '2 sessions found']);
});

test('taking a session back is tried again where only its tab could not be opened', async () => {
  answers = {
    [LIST]: page([entry('a', { open: true })]),
    'DELETE api/catalog/a': { restorableUntil: '2027' },
    'POST api/catalog/a/restore': undefined,
    'POST api/workspaces/w/sessions': new ApiProblem('x', 'The disk is full.', 503),
  };
  await show();
  await choose('a', 'Delete');
  await click(button('Undo'));
  expect(alert()).toBe('Not brought back. The disk is full.');
  answers['POST api/workspaces/w/sessions'] = {};
  await click(button('Undo'));
  expect([alert(), lines()]).toEqual([undefined, ['/w/w/?session=a']]);
  expect(onBack.mock.calls).toEqual([['a']]);
});

test('an archived session stays where it is and can be taken out again; a refusal is said', async () => {
  answers = {
    [LIST]: page([entry('a')]),
    'PATCH api/catalog/a': undefined,
    'DELETE api/catalog/a': new ApiProblem('x', 'Codex is writing it.', 409),
  };
  await show();
  await choose('a', 'Archive');
  expect(asked.at(-1)).toMatchObject({ method: 'PATCH', body: { archived: true } });
  expect(onLeft.mock.lastCall).toMatchObject([{ id: 'a' }, 'archived', null]);
  expect(rows()[0]?.textContent).toContain('archived');
  await choose('a', 'Unarchive');
  expect(asked.at(-1)).toMatchObject({ method: 'PATCH', body: { archived: false } });
  expect(rows()[0]?.textContent).not.toContain('archived');
  await choose('a', 'Delete');
  expect(alert()).toBe('Not deleted. Codex is writing it.');
});

test('one that works is stopped only when one says so', async () => {
  answers = { [LIST]: page([entry('a', { open: true })]), 'DELETE api/catalog/a': {} };
  await show('w', [{ id: 'w', sessions: [{ id: 'a', status: 'running' }] } as unknown as WorkspaceSummary]);
  await choose('a', 'Delete');
  expect(paths()).toEqual([LIST]);
  expect([...document.querySelectorAll('dialog')].at(-1)?.textContent).toContain(
    'Delete the session while it works?',
  );
});

test('as long as files are read it says how far, and lists again when that is over', async () => {
  answers = {
    [LIST]: page([entry('a')], { indexing: { done: 1_200, total: 10_000 } }),
    'GET api/catalog?limit=1': page([], { indexing: { done: 9_000, total: 10_000 } }),
  };
  await show();
  expect(query('dialog')?.textContent).toContain('Still reading: 1,200 of 10,000 files.');
  await pass(2_000);
  expect(query('dialog')?.textContent).toContain('Still reading: 9,000 of 10,000 files.');
  answers['GET api/catalog?limit=1'] = page([]);
  answers[LIST] = page([entry('a'), entry('b')]);
  await pass(2_000);
  expect(lines()).toHaveLength(2);
  expect(query('dialog')?.textContent).not.toContain('Still reading');
  const before = asked.length;
  await pass(10_000);
  expect(asked).toHaveLength(before);
});

test('a list that cannot be had says why, and is asked for again', async () => {
  answers = { [LIST]: new ApiProblem('x', 'The server cannot be reached.', 0) };
  await show();
  expect(alert()).toContain('The sessions could not be listed. The server cannot be reached.');
  answers[LIST] = page([entry('a')]);
  await click(button('Try again'));
  expect(lines()).toHaveLength(1);
});

test('the list is told anew once sessions have changed, but not under a pointer, and Enter stays where it is', async () => {
  answers = { [LIST]: page([entry('a', { open: true })]) };
  await show();
  const told = (title: string) => {
    const sessions = [{ id: 'b', title, lastActivityAt: '' }] as WorkspaceSummary['sessions'];
    return act(async () => overview.setState({ workspaces: [{ id: 'w', sessions }] }));
  };
  answers[LIST] = page([entry('b'), entry('a', { open: true })]);
  const list = query('[role=grid]')?.parentElement as HTMLElement;
  const pointer = (type: string) =>
    act(async () => list.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: 'mouse' })));
  await pointer('pointerover');
  await told('New');
  await pass(3000);
  expect(paths()).toEqual([LIST]);
  await pointer('pointerout');
  await pass(1000);
  expect([paths(), lines(), marked()]).toEqual([[LIST, LIST], ['/w/w/?session=b', '/w/w/?session=a'], 1]);
  await pass(10_000);
  expect(paths()).toHaveLength(2);
  // what other programs do is seen by who comes back
  await act(async () => document.dispatchEvent(new Event('visibilitychange')));
  await pass(1000);
  expect(paths()).toHaveLength(3);
});

test('a list that cannot be told anew keeps its lines, and says why beside them', async () => {
  answers = { [LIST]: page([entry('a')]) };
  await show();
  answers[LIST] = new ApiProblem('x', 'The server cannot be reached.', 0);
  await act(async () => document.dispatchEvent(new Event('visibilitychange')));
  await pass(1000);
  const said = 'The sessions could not be listed. The server cannot be reached. Try again';
  expect([alert(), lines()]).toEqual([said, ['/w/w/?session=a']]);
  answers[LIST] = page([entry('b'), entry('a')]);
  await click(button('Try again'));
  expect([alert(), lines()]).toEqual([undefined, ['/w/w/?session=b', '/w/w/?session=a']]);
});

test('what was put away keeps its line while other sessions change', async () => {
  answers = { [LIST]: page([entry('a')]), 'DELETE api/catalog/a': { restorableUntil: '2027' } };
  await show();
  await choose('a', 'Delete');
  await act(async () => overview.setState({ workspaces: [{ id: 'w', sessions: [] }] }));
  await pass(5000);
  expect([paths().filter((path) => path === LIST), lines()]).toEqual([[LIST], ['Deleted “a”Undo']]);
});

test('what stood in it is there after a reload, and gone once it was closed', async () => {
  answers = {
    [LIST]: page([entry('a')]),
    'GET api/catalog?archived=true': page([]),
    'GET api/catalog?archived=true&q=old&limit=6': page([entry('old', { archived: true })]),
    'GET api/search?q=old&archived=true': said([]),
  };
  await show();
  await click(button('Archived'));
  await type(field(), 'old');
  await pass(150);
  const atReload = { ...sessionStorage };
  unmount();
  expect(sessionStorage).toHaveLength(0);
  for (const [key, value] of Object.entries(atReload)) sessionStorage.setItem(key, value);
  await show();
  expect([field().value, lines()]).toEqual(['old', ['/w/w/?session=old']]);
  expect(button('Archived').getAttribute('aria-pressed')).toBe('true');
  expect([field().selectionStart, field().selectionEnd]).toEqual([0, 3]);
});

test('a failure says so and nothing is waited for; more titles are asked for again', async () => {
  answers = { [LIST]: new ApiProblem('x', 'The disk is gone.', 500) };
  await show();
  const list = () => query('[aria-busy]')?.getAttribute('aria-busy');
  expect([alert(), list()]).toEqual([
    'The sessions could not be listed. The disk is gone.Try again',
    'false',
  ]);
  answers = {
    'GET api/catalog?q=x&limit=6': page([entry('x1')], { next: 'c' }),
    'GET api/search?q=x': said([]),
    'GET api/catalog?q=x&cursor=c': new ApiProblem('x', 'Too slow.', 503),
  };
  await type(field(), 'x');
  await pass(150);
  await click(button('More sessions with this in title or directory'));
  expect(alert()).toBe('The sessions could not be listed. Too slow. Try again');
  answers['GET api/catalog?q=x&cursor=c'] = page([entry('x2')]);
  await click(button('Try again'));
  expect([alert(), lines()]).toEqual([undefined, ['/w/w/?session=x1', '/w/w/?session=x2']]);
});
