import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemProgram } from './system-program.ts';

test('a program of the system, and one that is not there', () => {
  expect(systemProgram('sh')).toMatch(/^\/.*\/sh$/);
  expect(existsSync(systemProgram('sh'))).toBe(true);
  expect(systemProgram('no-such-program')).toBe('/usr/bin/no-such-program');
});
