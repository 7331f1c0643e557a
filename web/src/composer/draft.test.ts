import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Draft } from './draft.ts';

function device() {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}
const textOf = (draft: Draft) => draft.text;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('each session keeps its own draft, and an empty one leaves nothing behind', () => {
  const storage = device();
  const draft = new Draft('a', storage);
  draft.change('half a thought');
  new Draft('b', storage).change('another');
  vi.advanceTimersByTime(200);
  expect(['a', 'b', 'c'].map((id) => textOf(new Draft(id, storage)))).toEqual([
    'half a thought',
    'another',
    '',
  ]);
  draft.change('');
  expect([...storage.values.keys()]).toEqual(['tscodex.draft.b']);
});

test('it is written when typing pauses, or when asked to', () => {
  const storage = device();
  const draft = new Draft('a', storage);
  draft.change('half');
  vi.advanceTimersByTime(199);
  draft.change('half a thought');
  vi.advanceTimersByTime(199);
  expect(storage.values.size).toBe(0);
  draft.write();
  expect(textOf(new Draft('a', storage))).toBe('half a thought');
});

test('what comes back stands in front of what was written meanwhile', () => {
  const draft = new Draft('a', device());
  draft.putBack('first');
  expect(textOf(draft)).toBe('first');
  draft.change('second');
  draft.putBack('first');
  expect(textOf(draft)).toBe('first\n\nsecond');
});

test('it remembers what could be answered when it was begun', () => {
  const draft = new Draft('a', device());
  draft.change('s', null);
  draft.change('so', 'ask');
  expect(draft.state.getState()).toEqual({ text: 'so', begunFor: null });
  draft.change('');
  draft.change('l', 'ask');
  draft.change('la', 'another');
  expect(draft.state.getState()).toEqual({ text: 'la', begunFor: 'ask' });
});

test('a draft moves to the session that came of it, and joins the one kept there', () => {
  const storage = device();
  storage.values.set('tscodex.draft.s', 'kept there');
  const draft = new Draft('new:w', storage);
  draft.change('written before');
  vi.advanceTimersByTime(200);
  draft.moveTo('s');
  draft.moveTo('s');
  expect(textOf(draft)).toBe('written before\n\nkept there');
  expect([...storage.values]).toEqual([['tscodex.draft.s', 'written before\n\nkept there']]);
  draft.change('and on');
  vi.advanceTimersByTime(200);
  expect(textOf(new Draft('s', storage))).toBe('and on');
});
