import type { AskBrief } from '@tscodex/shared/asks';
// @vitest-environment happy-dom
import type { SessionSummary } from '@tscodex/shared/workspace';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { click, mount, press, query } from '../conversation/testing.ts';
import { SessionList } from './session-list.tsx';

const waiting: AskBrief = { id: 'ask', kind: 'question', text: 'Which?', cut: false, openedAt: '1' };

const summary = (id: string, more: Partial<SessionSummary> = {}): SessionSummary => ({
  id,
  title: `Title ${id}`,
  status: 'idle',
  asks: [],
  lastTurn: null,
  model: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastActivityAt: '2026-01-01T00:00:00.000Z',
  ...more,
});
const sessions = [
  summary('a'),
  summary('b', { status: 'asking', asks: [waiting] }),
  summary('c', { title: null }),
];

let unmount: () => void = () => undefined;
afterEach(() => unmount());

function show(seen: Record<string, string> = { a: '2027', b: '2027', c: '2027' }) {
  const onChoose = vi.fn<(session: string) => void>();
  const onClose = vi.fn<(session: SessionSummary) => void>();
  const onRename = vi.fn<(session: SessionSummary, title: string) => void>();
  const onMove = vi.fn<(session: string, to: number) => void>();
  const list = (listed: SessionSummary[]) => (
    <SessionList
      sessions={listed}
      chosen="b"
      seen={seen}
      titleOf={({ title }) => title}
      {...{ onChoose, onClose, onRename, onMove }}
    />
  );
  const mounted = mount(list(sessions));
  unmount = mounted.unmount;
  return {
    onChoose,
    onClose,
    onRename,
    onMove,
    list: (listed: SessionSummary[]) => mounted.render(list(listed)),
  };
}
const tab = (id: string) => query(`#session-${id}`) as HTMLElement;

test('only what stands before the number of a fork is cut off', () => {
  const { list } = show();
  const titles = ['A long title (2)', '(2)', 'No (number)', 'Two (2) (13)', null];
  list(titles.map((title, at) => summary(`${at}`, { title })));
  const cut = titles.map((_, at) => query(`#session-${at} [data-unread] > span`)?.textContent);
  expect(cut).toEqual(['A long title', '(2)', 'No (number)', 'Two (2)', 'Untitled session']);
  expect(tab('0').textContent).toContain('A long title (2)');
});

test('the sessions are tabs, of which one can be reached by Tab', () => {
  show();
  const list = query('[role=tablist]');
  expect(list?.getAttribute('aria-label')).toBe('Sessions');
  expect(list?.getAttribute('aria-orientation')).toBe('vertical');
  const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')];
  expect(tabs.map((one) => [one.getAttribute('aria-selected'), one.tabIndex])).toEqual([
    ['false', -1],
    ['true', 0],
    ['false', -1],
  ]);
});

test('arrows move the focus around, Home and End to the ends; nothing is opened by that', async () => {
  const { onChoose } = show();
  act(() => tab('b').focus());
  await press(tab('b'), 'ArrowDown');
  expect(document.activeElement).toBe(tab('c'));
  await press(tab('c'), 'ArrowDown');
  expect(document.activeElement).toBe(tab('a'));
  await press(tab('a'), 'End');
  expect(document.activeElement).toBe(tab('c'));
  expect(tab('c').tabIndex).toBe(0);
  expect(onChoose).not.toHaveBeenCalled();
  await click(tab('c'));
  expect(onChoose).toHaveBeenCalledWith('c');
});

test('Delete closes the focused one', async () => {
  const { onClose } = show();
  await press(tab('a'), 'Delete');
  expect(onClose).toHaveBeenCalledWith(sessions[0]);
});

test('F2 renames in place: Enter saves and gives the focus back, Escape does not save', async () => {
  const { onRename } = show();
  act(() => tab('a').focus());
  await press(tab('a'), 'F2');
  const field = () => query<HTMLInputElement>('input') as HTMLInputElement;
  expect(document.activeElement).toBe(field());
  expect(field().value).toBe('Title a');
  field().value = ' Another ';
  await press(field(), 'Enter');
  expect(onRename.mock.calls).toEqual([[sessions[0], 'Another']]);
  expect(document.activeElement).toBe(tab('a'));

  await press(tab('a'), 'F2');
  field().value = 'Not this';
  await press(field(), 'Escape');
  await press(tab('a'), 'F2');
  await press(field(), 'Enter');
  expect(onRename).toHaveBeenCalledTimes(1);
});

test('O-F2: the Enter of an input method ends no renaming, in whatever order Safari tells it', async () => {
  const { onRename } = show();
  await press(tab('a'), 'F2');
  const field = query<HTMLInputElement>('input') as HTMLInputElement;
  field.value = '你';
  await press(field, 'Enter', { isComposing: true, keyCode: 229 });
  await press(field, 'Enter', { keyCode: 229 });
  expect(onRename).not.toHaveBeenCalled();
  expect(query('input')).toBe(field);
  await press(field, 'Enter', { keyCode: 13 });
  expect(onRename.mock.calls).toEqual([[sessions[0], '你']]);
});

test('a double click renames, and leaving the field saves', async () => {
  const { onRename } = show();
  await act(async () => void tab('c').dispatchEvent(new MouseEvent('dblclick', { bubbles: true })));
  const field = query<HTMLInputElement>('input') as HTMLInputElement;
  expect(field.value).toBe('');
  field.value = 'Named';
  await act(async () => field.blur());
  expect(onRename.mock.calls).toEqual([[sessions[2], 'Named']]);
});

test('with Alt the arrows move the session, not the focus, and not around the ends', async () => {
  const { onMove } = show();
  act(() => tab('a').focus());
  await press(tab('a'), 'ArrowDown', { altKey: true });
  await press(tab('a'), 'ArrowUp', { altKey: true });
  await press(tab('a'), 'End', { altKey: true });
  expect(onMove.mock.calls).toEqual([
    ['a', 1],
    ['a', 2],
  ]);
  expect(document.activeElement).toBe(tab('a'));
});

test('where there are none it says so', () => {
  const { list } = show();
  list([]);
  expect(document.body.textContent).toContain('No sessions yet');
});

test('the focus goes from a deleted one to the one in its place', async () => {
  const { list } = show();
  act(() => tab('b').focus());
  await press(tab('b'), 'Delete');
  list([summary('a'), summary('c')]);
  expect(document.activeElement).toBe(tab('c'));
  await press(tab('c'), 'Delete');
  list([summary('a')]);
  expect(document.activeElement).toBe(tab('a'));
  list([]);
  expect(document.activeElement).toBe(document.body);
});

test('each says in words what its dot says in colour', () => {
  show({ a: '2025', b: '2027', c: '2027' });
  const words = (id: string) => tab(id).querySelector('.visually-hidden')?.textContent;
  expect(['a', 'b', 'c'].map(words)).toEqual(['new', 'waits for you', undefined]);
  expect(tab('c').textContent).toContain('Untitled session');
});
