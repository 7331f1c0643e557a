import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Placeholders } from './placeholders.ts';

let dir: string;
let list: string;
let placeholders: Placeholders;
beforeEach(() => {
  vi.useFakeTimers();
  dir = mkdtempSync(join(tmpdir(), 'tscodex-placeholders-'));
  list = join(dir, 'placeholders.json');
  placeholders = new Placeholders(list);
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(dir, { recursive: true, force: true });
});

const listed = () => JSON.parse(readFileSync(list, 'utf8'));
const written = () => statSync(list, { bigint: true }).mtimeNs;

test('the list is written once for commands that follow one another, and shorter when they are over', () => {
  const path = join(dir, '.git');
  const other = join(dir, '.codex');
  placeholders.hold([path])();
  const first = written();
  const release = placeholders.hold([path]);
  mkdirSync(path);
  expect([listed(), written()]).toEqual([[path], first]);
  const releaseBoth = placeholders.hold([path, other]);
  expect(listed()).toEqual([path, other]);
  release();
  expect(existsSync(path)).toBe(true);
  releaseBoth();
  expect([existsSync(path), listed()]).toEqual([false, [path, other]]);
  vi.runAllTimers();
  expect(listed()).toEqual([]);
});

test('what a crash has left goes, and what is in it stays', () => {
  const [empty, full] = ['.git', '.codex'].map((name) => join(dir, name)) as [string, string];
  placeholders.hold([empty, full]);
  mkdirSync(join(full, 'somebody'), { recursive: true });
  mkdirSync(empty);
  new Placeholders(list);
  expect([existsSync(empty), existsSync(full)]).toEqual([false, true]);
});

test('a directory that is gone is not made anew for the list', () => {
  placeholders.hold([join(dir, '.git')])();
  rmSync(dir, { recursive: true });
  vi.runAllTimers();
  expect(existsSync(dir)).toBe(false);
});
