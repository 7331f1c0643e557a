import { expect, test } from 'vitest';
import { InTurn } from './in-turn.ts';

test('work of one name waits for the one before, also for one that fails, and for no other name', async () => {
  const work = new InTurn();
  const seen: string[] = [];
  let fail: (why: Error) => void = () => undefined;
  const first = work.run('a', () => new Promise<void>((_, reject) => (fail = reject)));
  const second = work.run('a', async () => void seen.push('second'));
  await work.run('b', async () => void seen.push('other'));
  expect(seen).toEqual(['other']);
  fail(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  await second;
  expect(seen).toEqual(['other', 'second']);
});

test('it has settled when all of them have', async () => {
  const work = new InTurn();
  const seen: string[] = [];
  const later = (name: string) => async () => {
    await Promise.resolve();
    seen.push(name);
  };
  void work.run('a', later('a1'));
  void work.run('a', later('a2'));
  void work.run('b', later('b1'));
  await work.settled();
  expect(seen.sort()).toEqual(['a1', 'a2', 'b1']);
  await work.settled();
});
