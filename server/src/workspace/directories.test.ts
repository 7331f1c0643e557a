import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { completeDirectory } from './directories.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'directories-')));
  for (const name of ['src', 'src/http', 'src/.git', 'Site', 'docs', '.cache', 'äpfel & <b>'])
    mkdirSync(join(dir, name));
  writeFileSync(join(dir, 'srcfile'), '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

test('directories alone, sorted, hidden ones when they are asked for', async () => {
  expect(await completeDirectory('', dir)).toEqual(['äpfel & <b>', 'docs', 'Site', 'src']);
  expect(await completeDirectory('s', dir)).toEqual(['Site', 'src']);
  expect(await completeDirectory('.', dir)).toEqual(['.cache']);
  expect(await completeDirectory('src/', dir)).toEqual(['src/http']);
  expect(await completeDirectory('src/.', dir)).toEqual(['src/.git']);
  expect(await completeDirectory(`${dir}/do`, '/nowhere')).toEqual([`${dir}/docs`]);
});

test('~ is home and stays as it is typed', async () => {
  vi.stubEnv('HOME', dir);
  expect(await completeDirectory('~', '/')).toEqual(['~/äpfel & <b>', '~/docs', '~/Site', '~/src']);
  expect(await completeDirectory('~/src/h', '/')).toEqual(['~/src/http']);
});

test('a link counts where it leads to a directory', async () => {
  symlinkSync('src', join(dir, 'link-dir'));
  symlinkSync('srcfile', join(dir, 'link-file'));
  symlinkSync('loop', join(dir, 'loop'));
  expect(await completeDirectory('l', dir)).toEqual(['link-dir']);
});

test.each([
  'nowhere/',
  'srcfile/',
  '\0',
  'a\0/b',
  '/proc/1/root\0/',
  `${'x'.repeat(5000)}/`,
  '~nobody/',
  '//',
])('what cannot be read has nothing in it: %j', async (typed) => {
  expect(await completeDirectory(typed, dir, dir)).toEqual([]);
});

test('at most fifty', async () => {
  for (let n = 100; n < 170; n++) mkdirSync(join(dir, `many-${n}`));
  const found = await completeDirectory('many', dir);
  expect(found).toHaveLength(50);
  expect(found.at(-1)).toBe('many-149');
});

test('nothing is told of what lies outside a workspace, by no way', async () => {
  const inner = join(dir, 'src');
  symlinkSync(join(dir, 'docs'), join(inner, 'out'));
  symlinkSync('http', join(inner, 'in'));
  expect(await completeDirectory('', inner, inner)).toEqual(['http', 'in']);
  for (const typed of ['../', '/', '~/', `${dir}/`, 'out/', 'http/../../', '/proc/self/cwd/'])
    expect(await completeDirectory(typed, inner, inner)).toEqual([]);
  expect(await completeDirectory(`${inner}/`, inner, inner)).toEqual([`${inner}/http`, `${inner}/in`]);
  // a neighbour whose name begins the same
  mkdirSync(join(dir, 'src2', 'x'), { recursive: true });
  expect(await completeDirectory('../src2/', inner, inner)).toEqual([]);
});
