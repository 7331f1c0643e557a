import { expect, test, vi } from 'vitest';
import { CommandParser } from './parse-command.ts';

/** How many reads are refused before the disk answers again. */
const refusals = vi.hoisted(() => ({ left: 1 }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  return {
    ...real,
    readFile: async (path: string) => {
      if (refusals.left-- > 0) throw new Error('too many open files');
      return real.readFile(path);
    },
  };
});

test('a grammar that could not be loaded is loaded with the next command', async () => {
  const parser = new CommandParser();
  await expect(parser.parse('a b')).rejects.toThrow('too many open files');
  expect((await parser.parse('a b')).segments).toEqual([['a', 'b']]);
});
