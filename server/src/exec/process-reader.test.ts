import { expect, test, vi } from 'vitest';
import { leftBehind } from './process-group.ts';
import { ProcessReader, stateOf } from './process-list.ts';

/** How often the processes cannot be listed. */
const refusals = vi.hoisted(() => ({ left: 0 }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return {
    ...real,
    readdirSync: (path: string) => {
      if (refusals.left-- > 0) throw new Error('too many open files');
      return real.readdirSync(path);
    },
  };
});

test('a reading that fails is not that of those who asked meanwhile', async () => {
  refusals.left = 1;
  const reader = new ProcessReader();
  const first = reader.read();
  const second = reader.read();
  await expect(first).rejects.toThrow('too many open files');
  expect((await second).all).toContainEqual(expect.objectContaining({ pid: process.pid }));
  expect((await reader.read()).all.length).toBeGreaterThan(0);
});

test('what cannot be looked for is not taken for gone', () => {
  const group = stateOf(process.pid)?.group ?? 0;
  refusals.left = 1;
  expect(leftBehind(group)).toMatchObject([{ group }]);
});
