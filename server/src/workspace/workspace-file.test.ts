import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestBox, type TestBox } from '../runtime/test-session.ts';
import { RememberedIds } from './remembered-ids.ts';
import { WorkspaceFile } from './workspace-file.ts';

const NOBODY = 65534;

let box: TestBox;
let path: string;
let file: WorkspaceFile | undefined;
beforeEach(async () => {
  box = await openTestBox();
  path = join(box.dir, 'workspaces.json');
});
afterEach(async () => {
  file?.close();
  file = undefined;
  await box.remove();
});

async function open(text?: string, at = path): Promise<WorkspaceFile> {
  if (text !== undefined) writeFileSync(at, text);
  file = await WorkspaceFile.open(at, { places: { forbidden: [] }, ids: new RememberedIds(box.db, at) });
  return file;
}

const entry = (id: string) => ({ id, work_dir: 'work' });
const list = (...ids: string[]) => `${JSON.stringify({ workspaces: ids.map(entry) })}\n`;
const idsOf = (one: WorkspaceFile) => one.entries.map(({ id }) => id);
const onDisk = () => JSON.parse(readFileSync(path, 'utf8')).workspaces.map(({ id }: { id: string }) => id);

/** Resolves at the next change for which `found` holds. */
async function until(one: WorkspaceFile, found: () => boolean): Promise<void> {
  while (!found())
    await new Promise<void>((resolve) => {
      const stop = one.onChange(() => {
        stop();
        resolve();
      });
    });
}

test('what is written by hand shows, however an editor writes it', async () => {
  const one = await open(list('a'));
  writeFileSync(path, list('a', 'b'));
  await until(one, () => idsOf(one).join() === 'a,b');
  writeFileSync(`${path}.new`, list('c'));
  renameSync(`${path}.new`, path);
  await until(one, () => idsOf(one).join() === 'c');
});

test('a file that is half saved keeps what was, says where, and takes no change until it is whole', async () => {
  const one = await open(list('a'));
  writeFileSync(path, '{"workspaces": [\n  {"id": "a",\n');
  await until(one, () => one.problem !== null);
  expect(one.problem?.message).toMatch(/workspaces\.json:3:1: not valid JSON/);
  expect(idsOf(one)).toEqual(['a']);
  await expect(one.change(async (document) => document.withAdded(entry('b')))).rejects.toMatchObject({
    kind: 'conflict',
    code: 'workspaces.broken',
    message: expect.stringMatching(/broken: .*workspaces\.json:3:1: not valid JSON/),
  });
  expect(readFileSync(path, 'utf8')).toBe('{"workspaces": [\n  {"id": "a",\n');
  writeFileSync(path, list('a', 'b'));
  await until(one, () => one.problem === null);
  expect(idsOf(one)).toEqual(['a', 'b']);
});

test('a file that goes is missed, not taken for an empty list', async () => {
  const one = await open(list('a'));
  rmSync(path);
  await until(one, () => one.problem !== null);
  expect(one.problem).toMatchObject({ code: 'workspaces.gone', details: { path } });
  expect(idsOf(one)).toEqual(['a']);
  await expect(one.change(async (document) => document.withAdded(entry('b')))).rejects.toThrow('is gone');
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, list('z'));
  await until(one, () => one.problem === null);
  expect(idsOf(one)).toEqual(['z']);
});

test('a file that was never there is made with the first entry, and noticed when somebody else makes it', async () => {
  const one = await open();
  expect(idsOf(one)).toEqual([]);
  await one.change(async (document) => document.withAdded(entry('a')));
  expect(onDisk()).toEqual(['a']);
  expect(statSync(path).mode & 0o777).toBe(0o644);
  one.close();
  const elsewhere = join(box.dir, 'later', 'workspaces.json');
  const other = await open(undefined, elsewhere);
  mkdirSync(join(box.dir, 'later'));
  writeFileSync(elsewhere, '[{"id":"x","work_dir":"."}]');
  await until(other, () => idsOf(other).join() === 'x');
});

test('a hand edit that comes at any moment of a change is in the file afterwards', async () => {
  const one = await open(list('a'));
  let attempts = 0;
  await one.change(async (document) => {
    // saved after the file was read and before it is written
    if (++attempts === 1) writeFileSync(path, list('a', 'by-hand'));
    return document.withAdded(entry('added'));
  });
  expect(attempts).toBe(2);
  expect(onDisk()).toEqual(['a', 'by-hand', 'added']);
  expect(idsOf(one)).toEqual(['a', 'by-hand', 'added']);
});

test('changes at the same time all come in, one after another', async () => {
  const one = await open(list());
  const names = Array.from({ length: 12 }, (_, n) => `n${n}`);
  await Promise.all(names.map((id) => one.change(async (document) => document.withAdded(entry(id)))));
  expect(onDisk()).toEqual(names);
});

test('one that never holds still is given up with a sentence', async () => {
  const one = await open(list());
  let n = 0;
  const change = one.change(async (document) => {
    writeFileSync(path, list(`machine-${n++}`));
    return document.withAdded(entry('b'));
  });
  await expect(change).rejects.toMatchObject({ code: 'workspaces.write' });
  expect(onDisk()).toEqual(['machine-4']);
  expect(readdirSync(box.dir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a linked file stays a link, and what happens to its target shows', async () => {
  mkdirSync(join(box.dir, 'dotfiles'));
  const target = join(box.dir, 'dotfiles', 'list.json');
  writeFileSync(target, list('a'));
  chmodSync(target, 0o640);
  symlinkSync('dotfiles/list.json', path);
  const one = await open();
  await one.change(async (document) => document.withAdded(entry('b')));
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(statSync(target).mode & 0o777).toBe(0o640);
  expect(onDisk()).toEqual(['a', 'b']);
  writeFileSync(target, list('c'));
  await until(one, () => idsOf(one).join() === 'c');
  // and so does where it leads from now on
  const next = join(box.dir, 'dotfiles', 'next.json');
  writeFileSync(next, list('d'));
  symlinkSync('dotfiles/next.json', `${path}.new`);
  renameSync(`${path}.new`, path);
  await until(one, () => idsOf(one).join() === 'd');
  writeFileSync(next, list('e'));
  await until(one, () => idsOf(one).join() === 'e');
});

test('a relative link to it is read from where the link is', async () => {
  mkdirSync(join(box.dir, 'dotfiles'));
  writeFileSync(join(box.dir, 'dotfiles', 'list.json'), list('a'));
  symlinkSync('dotfiles/list.json', path);
  expect((await open()).entries[0]).toMatchObject({ id: 'a', dir: box.workDir });
});

test.skipIf(process.getuid?.() !== 0)(
  'a file that may not be written says so and stays as it is',
  async () => {
    chmodSync(box.dir, 0o755);
    const one = await open(list('a'));
    const refusal = { kind: 'unavailable', code: 'workspaces.write', message: expect.stringContaining(path) };
    process.seteuid?.(NOBODY);
    try {
      const change = one.change(async (document) => document.withAdded(entry('b')));
      await expect(change).rejects.toMatchObject(refusal);
    } finally {
      process.seteuid?.(0);
    }
    expect(readFileSync(path, 'utf8')).toBe(list('a'));
    expect(readdirSync(box.dir).sort()).toEqual(['state', 'work', 'workspaces.json']);
    // and after that it works again
    await one.change(async (document) => document.withAdded(entry('b')));
    expect(onDisk()).toEqual(['a', 'b']);
  },
);

test('bytes that are no text are refused, not replaced', async () => {
  writeFileSync(path, Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]));
  await expect(open()).rejects.toMatchObject({
    code: 'workspaces.encoding',
    message: `${path} is not UTF-8 text`,
  });
  await expect(open(undefined, box.dir)).rejects.toThrow(`cannot read ${box.dir}`);
});

test('entries without an id keep theirs over restarts, whatever is taken out before them', async () => {
  const [a, b] = [{ work_dir: 'work' }, { work_dir: '.' }];
  const one = await open(JSON.stringify([a, b]));
  expect(one.entries.map(({ id, dir }) => [id, dir])).toEqual([
    ['workspace-1', box.workDir],
    ['workspace-2', box.dir],
  ]);
  one.close();
  const again = await open(JSON.stringify([b]));
  expect(idsOf(again)).toEqual(['workspace-2']);
  writeFileSync(path, JSON.stringify([b, a]));
  await until(again, () => idsOf(again).join() === 'workspace-2,workspace-1');
});
