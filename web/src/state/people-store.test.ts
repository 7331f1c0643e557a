import type { Person } from '@tscodex/shared/workspace';
import { expect, test } from 'vitest';
import { foldPeople, type People } from './people-store.ts';

const person = (id: string, name: string | null, session: string | null = null): Person => ({
  ...{ id, name },
  looking: [{ workspace: 'demo', session }],
});
const before: People = { me: null, home: '', people: [person('a', 'Ada'), person('g', null)], more: 3 };

test('the server says who I am, and again when I go by another name', () => {
  const me = { id: 'a', name: null };
  const hello = { type: 'hello', protocol: 1, heartbeatMs: 1, version: '0', me, home: '/home/ada' } as const;
  const known = foldPeople(before, hello);
  expect(known).toEqual({ ...before, me, home: '/home/ada' });
  expect(foldPeople(known, { type: 'me', me: { id: 'a', name: 'Ada' } }).me?.name).toBe('Ada');
});

test('everybody replaces everybody', () => {
  const people = [person('j', 'Jo')];
  expect(foldPeople(before, { type: 'people', people, more: 0 })).toEqual({ ...before, people, more: 0 });
});

test('who changes stays in place, who comes is last, who leaves is gone', () => {
  const people = [person('j', 'Jo'), person('g', 'Grace', 's1')];
  const frame = { type: 'people.changed', people, gone: ['a', 'unknown'], more: 0 } as const;
  expect(foldPeople(before, { ...frame, gone: [...frame.gone] })).toEqual({
    ...{ me: null, home: '', more: 0 },
    people: [person('g', 'Grace', 's1'), person('j', 'Jo')],
  });
});
