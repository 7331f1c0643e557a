import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeDirectory } from './make-directory.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'make-directory-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('all that are missing are made with the mode, and the uppermost is told', () => {
  expect(makeDirectory(join(dir, 'a', 'b'), 0o700)).toBe(join(dir, 'a'));
  for (const made of ['a', 'a/b']) expect(statSync(join(dir, made)).mode & 0o777).toBe(0o700);
  expect(makeDirectory(join(dir, 'a', 'b', 'c'))).toBe(join(dir, 'a', 'b', 'c'));
  expect(makeDirectory(join(dir, 'a', 'b'))).toBeUndefined();
});

test('a file in its place or above it, and a link to nothing, are refused', () => {
  writeFileSync(join(dir, 'file'), '');
  symlinkSync('nowhere', join(dir, 'link'));
  expect(() => makeDirectory(join(dir, 'file'))).toThrow(/EEXIST/);
  expect(() => makeDirectory(join(dir, 'file', 'below'))).toThrow(/EEXIST|ENOTDIR/);
  expect(() => makeDirectory(join(dir, 'link', 'below'))).toThrow(/EEXIST/);
});
