import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeFileAtomically } from './atomic-file.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'atomic-file-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('a new file gets the mode asked for, an old one keeps its own', async () => {
  const path = join(dir, 'file');
  await writeFileAtomically(path, 'one', 0o600);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(path, 0o664);
  await writeFileAtomically(path, 'two', 0o600);
  expect(statSync(path).mode & 0o777).toBe(0o664);
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(readdirSync(dir)).toEqual(['file']);
});

test('a symbolic link stays one, its target is replaced', async () => {
  writeFileSync(join(dir, 'target'), 'old');
  symlinkSync('target', join(dir, 'link'));
  await writeFileAtomically(join(dir, 'link'), 'new');
  expect(readlinkSync(join(dir, 'link'))).toBe('target');
  expect(readFileSync(join(dir, 'target'), 'utf8')).toBe('new');
});

test('a failure leaves the old content and nothing beside it', async () => {
  const path = join(dir, 'file', 'below');
  writeFileSync(join(dir, 'file'), 'old');
  await expect(writeFileAtomically(path, 'new')).rejects.toMatchObject({ code: 'ENOTDIR' });
  expect(readFileSync(join(dir, 'file'), 'utf8')).toBe('old');
  expect(readdirSync(dir)).toEqual(['file']);
});
