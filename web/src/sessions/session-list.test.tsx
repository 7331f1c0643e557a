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
  const list = (listed: SessionSummary[]) => (
    <SessionList sessions={listed} chosen="b" seen={seen} onChoose={onChoose} onClose={onClose} />
  );
  const mounted = mount(list(sessions));
  unmount = mounted.unmount;
  return { onChoose, onClose, list: (listed: SessionSummary[]) => mounted.render(list(listed)) };
}
const tab = (id: string) => query(`#session-${id}`) as HTMLElement;

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
