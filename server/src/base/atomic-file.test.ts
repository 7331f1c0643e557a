import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sweepLeftovers, writeFileAtomically } from './atomic-file.ts';

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

test.skipIf(process.getuid?.() !== 0)('an old file keeps its owner too', async () => {
  const path = join(dir, 'file');
  writeFileSync(path, 'old');
  chownSync(path, 65534, 65534);
  chmodSync(path, 0o640);
  await writeFileAtomically(path, 'new');
  const { uid, gid, mode } = statSync(path);
  expect([uid, gid, mode & 0o7777]).toEqual([65534, 65534, 0o640]);
});

test('what is thrown at the last moment keeps the old file', async () => {
  const path = join(dir, 'file');
  writeFileSync(path, 'old');
  const stop = async () => {
    expect(readFileSync(path, 'utf8')).toBe('old');
    throw new Error('not now');
  };
  await expect(writeFileAtomically(path, 'new', 0o644, stop)).rejects.toThrow('not now');
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(readdirSync(dir)).toEqual(['file']);
});

test('what a killed writer left beside the file is swept, and nothing else', async () => {
  const path = join(dir, 'list.json');
  const old = (name: string) => {
    writeFileSync(join(dir, name), '');
    utimesSync(join(dir, name), 0, 0);
  };
  const id = '01234567-89ab-4cde-8f01-23456789abcd';
  for (const name of ['list.json', `list.json.${id}.tmp`, `other.json.${id}.tmp`, 'list.json.mine.tmp'])
    old(name);
  writeFileSync(join(dir, `list.json.${id.replace('0', 'f')}.tmp`), 'being written');
  await sweepLeftovers(path);
  expect(readdirSync(dir).sort()).toEqual(
    [
      'list.json',
      `list.json.${id.replace('0', 'f')}.tmp`,
      'list.json.mine.tmp',
      `other.json.${id}.tmp`,
    ].sort(),
  );
});
