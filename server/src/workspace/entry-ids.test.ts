import { expect, test } from 'vitest';
import { areTwins, assignIds } from './entry-ids.ts';

const ids = (list: unknown[], remembered: [string, string][] = []) =>
  assignIds(list, new Map(remembered)).map(({ id }) => id);

test('written ids count, the first of two that are the same; the others fill the gaps', () => {
  const list = [{ work_dir: 'a' }, { id: 'workspace-1' }, { id: 'x' }, { id: 'x' }, { id: 'no id' }, 7, null];
  expect(ids(list)).toEqual([
    ...['workspace-2', 'workspace-1', 'x', 'workspace-3', 'workspace-4', 'workspace-5', 'workspace-6'],
  ]);
  expect(assignIds(list, new Map())[3]).toEqual({ id: 'workspace-3', taken: 'x' });
});

test('an entry without an id keeps the one it had, whatever happens around it', () => {
  const [a, b] = [{ work_dir: 'a' }, { cwd: 'b', board: 'b.html' }];
  const assigned = assignIds([a, b], new Map());
  expect(assigned.map(({ id }) => id)).toEqual(['workspace-1', 'workspace-2']);
  const known = assigned.map(({ id, key }) => [key ?? '', id] as [string, string]);
  expect(ids([b, a], known)).toEqual(['workspace-2', 'workspace-1']);
  expect(ids([b], known)).toEqual(['workspace-2']);
  expect(ids([{ work_dir: 'new' }, b, a], known)).toEqual(['workspace-3', 'workspace-2', 'workspace-1']);
  // who writes an id means it; the one it was taken from gets none that another directory has had
  expect(ids([{ id: 'workspace-2' }, b], known)).toEqual(['workspace-2', 'workspace-3']);
});

test('a list that names other directories gets none of the ids of those before', () => {
  const known = assignIds([{ work_dir: 'a' }], new Map()).map(({ id, key }) => [key, id] as [string, string]);
  expect(ids([{ work_dir: 'b' }], known)).toEqual(['workspace-2']);
});

test('entries in the same directory are told apart by their order', () => {
  const list = [
    { name: 'A', work_dir: '.' },
    { name: 'B', work_dir: '.' },
  ];
  const assigned = assignIds(list, new Map());
  const known = assigned.map(({ id, key }) => [key ?? '', id] as [string, string]);
  expect(new Set(known.map(([key]) => key)).size).toBe(2);
  expect(areTwins(known[0]?.[0] ?? '', known[1]?.[0] ?? '')).toBe(true);
  expect(ids(list, known)).toEqual(['workspace-1', 'workspace-2']);
});
