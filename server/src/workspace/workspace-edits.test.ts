import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestBox, type TestBox } from '../runtime/test-session.ts';
import { openListPlace } from './list-place.test-support.ts';
import type { ListPlace } from './manager.ts';
import { addWorkspace, changeWorkspace, removeWorkspace } from './workspace-edits.ts';

let box: TestBox;
let place: ListPlace;
beforeEach(async () => {
  box = await openTestBox();
  mkdirSync(box.config.codexHome);
});
afterEach(async () => {
  place.file.close();
  await box.remove();
});

async function open(...entries: unknown[]): Promise<void> {
  place = await openListPlace(box, { workspaces: entries });
}

const nowhereUsed = () => false;
const add = (
  asked: Parameters<typeof addWorkspace>[1],
  isUsed: (id: string, dir: string) => boolean = nowhereUsed,
) => addWorkspace(place, asked, isUsed);
const entryOf = (id: string) => {
  const found = place.file.entries.find((entry) => entry.id === id);
  if (!found) throw new Error(`no entry ${id}`);
  return found;
};
const change = (id: string, keys: object, isWorking = () => false) =>
  changeWorkspace(place, id, { revision: entryOf(id).revision, ...keys }, isWorking);
const written = () => JSON.parse(readFileSync(place.file.path, 'utf8')).workspaces;

test('everything has a default: the next free name, the directory of the file, a board out of the way', async () => {
  await open();
  expect(await add({})).toBe('workspace-1');
  expect(await add({})).toBe('workspace-2');
  expect(written()).toEqual([
    { id: 'workspace-1', work_dir: '.' },
    { id: 'workspace-2', work_dir: '.' },
  ]);
  expect(entryOf('workspace-1')).toMatchObject({
    name: 'workspace-1',
    dir: box.dir,
    board: { enabled: true, path: join(box.dir, '.tscodex', 'workspace-1.html') },
  });
});

test('directories are made; what lies below the file is written relative, all else as it is', async () => {
  await open();
  const boards = join(box.dir, 'boards');
  expect(await add({ name: 'Shop', dir: 'new/shop', board: `${boards}/shop.html` })).toBe('Shop');
  mkdirSync(join(box.dir, '~odd'));
  await add({ name: 'Odd', dir: join(box.dir, '~odd') });
  await add({ name: 'Far', dir: '/', board: join(boards, 'far.htm') });
  expect(written()).toEqual([
    { id: 'Shop', work_dir: 'new/shop', board: 'boards/shop.html' },
    { id: 'Odd', work_dir: './~odd' },
    { id: 'Far', work_dir: '/', board: 'boards/far.htm' },
  ]);
  expect(place.file.entries.every(({ problem }) => problem === undefined)).toBe(true);
});

test.runIf(process.getuid?.() === 0)('what root makes in a directory of somebody is theirs', async () => {
  await open();
  const home = join(box.dir, 'home');
  mkdirSync(home);
  chownSync(home, 54_321, 54_321);
  await add({ dir: join(home, 'new/deep') });
  for (const path of ['new', 'new/deep']) expect(statSync(join(home, path)).uid).toBe(54_321);
  await add({ dir: join(box.dir, 'mine') });
  expect(statSync(join(box.dir, 'mine')).uid).toBe(0);
});

test.each([
  ['Café Größe', 'Cafe-Gro-e'],
  ['<img src=x onerror=alert(1)>', 'img-src-x-onerror-alert-1'],
  ['中文', 'workspace-1'],
  ['../../etc', 'etc'],
  ['x'.repeat(100), 'x'.repeat(80)],
  ['__proto__', '__proto__'],
])('a name is any text, %j gets the id %j', async (name, id) => {
  await open();
  await expect(add({ name })).resolves.toBe(id);
  expect(entryOf(id)).toMatchObject({ id, name });
  expect(entryOf(id).problem).toBeUndefined();
});

test('ids stay apart, also from those that sessions in other directories went by', async () => {
  await open({ id: 'shop', work_dir: 'work', name: 'One' });
  expect(await add({ name: 'shop' })).toBe('shop-2');
  expect(await add({ name: 'shop!' })).toBe('shop-3');
  const asked: string[] = [];
  const isUsed = (id: string, dir: string) => {
    asked.push(`${id} ${dir}`);
    return id === 'old';
  };
  expect(await add({ name: 'old', dir: 'work' }, isUsed)).toBe('old-2');
  expect(asked).toEqual([`old ${box.workDir}`, `old-2 ${box.workDir}`]);
});

test('what sessions may do is written, read and taken back', async () => {
  await open({ id: 'a', work_dir: 'work', sandbox: 'workspace-write', note: 1 });
  expect(entryOf('a').permissions).toEqual({ sandbox: 'workspace-write' });
  await change('a', { permissions: { sandbox: 'read-only', network: false } });
  expect(written()).toEqual([{ id: 'a', work_dir: 'work', sandbox: 'read-only', note: 1, network: false }]);
  expect(entryOf('a').permissions).toEqual({ sandbox: 'read-only', network: false });
  // also while a session works
  await change('a', { permissions: { sandbox: null, network: null, approval: 'untrusted' } }, () => true);
  expect(written()).toEqual([{ id: 'a', work_dir: 'work', note: 1, approval: 'untrusted' }]);
});

test('a setting that is none breaks its entry alone', async () => {
  const broken = { id: 'a', work_dir: 'work', approval: 'sometimes', sandbox: 'read-only' };
  await open(broken, { id: 'b', work_dir: 'work' });
  expect(entryOf('a').problem?.message).toMatch(/^workspaces\.json: workspaces\[0\]\.approval: /);
  expect(entryOf('a').problem?.details).toMatchObject({ field: 'approval' });
  expect(entryOf('a').permissions).toEqual({ sandbox: 'read-only' });
  expect(entryOf('b').problem).toBeUndefined();
  await change('a', { permissions: { approval: null } });
  expect(entryOf('a').problem).toBeUndefined();
});

test('a name that is taken is refused, for a new workspace and for an old one', async () => {
  await open({ id: 'a', name: 'Shop', work_dir: 'work' }, { id: 'b', work_dir: 'work' });
  const refusal = { kind: 'conflict', code: 'workspace.name', details: { field: 'name', name: 'Shop' } };
  await expect(add({ name: 'Shop' })).rejects.toMatchObject(refusal);
  await expect(change('b', { name: 'Shop' })).rejects.toMatchObject(refusal);
  await change('a', { name: 'Shop' });
  expect(written()).toHaveLength(2);
});

test.each([
  ['/proc/nope', 'dir', /^The directory \/proc\/nope does not exist and cannot be made/],
  ['workspaces.json', 'dir', /workspaces\.json is not a directory\.$/],
  ['workspaces.json/below', 'dir', /below/],
  [`${'x'.repeat(300)}`, 'dir', /x does not exist and cannot be made: the name is too long|ENAMETOOLONG/],
  [`new/${'y'.repeat(300)}`, 'dir', /cannot be made: the name is too long|ENAMETOOLONG/],
  ['a\0b', 'dir', /no control characters/],
  ['line\nbreak', 'dir', /no control characters/],
])('the directory %j is refused with a sentence, and nothing changes', async (dir, field, message) => {
  await open();
  await expect(add({ dir })).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringMatching(message),
    details: { field },
  });
  expect(written()).toEqual([]);
  expect(readdirSync(box.dir).sort()).toEqual(['codex', 'state', 'work', 'workspaces.json']);
});

test("a board that is another's, no page, or the server's own is refused, and no directory is made for it", async () => {
  await open({ id: 'a', work_dir: 'work', board: 'a.html' }, { id: 'z', work_dir: 'work' });
  symlinkSync('state', join(box.dir, 'way'));
  const refuse = (board: string, message: string) =>
    expect(add({ dir: 'new', board })).rejects.toMatchObject({
      ...{
        kind: 'invalid',
        code: expect.stringMatching(/^(entry\.board|workspace\.path$)/),
        details: { field: 'board' },
      },
      message: expect.stringContaining(message),
    });
  await refuse('./x/../a.html', 'is the board of an earlier entry.');
  await refuse('work/.tscodex/z.html', 'is the board of an earlier entry.');
  await refuse('/etc/passwd', 'is no .html or .htm file.');
  await refuse('way/login.html', "lies in the server's own directory");
  await refuse(join(box.config.codexHome, 'deep', 'b.html'), "lies in the server's own directory");
  await refuse('b\u0000.html', 'no control characters');
  // taking what a later entry counts on breaks that one
  await expect(change('a', { board: 'work/.tscodex/z.html' })).rejects.toThrow(
    'That would break another workspace',
  );
  expect(existsSync(join(box.dir, 'new'))).toBe(false);
  expect(written()).toHaveLength(2);
});

test('directories that were made for nothing are taken away again', async () => {
  await open();
  place.file.close();
  writeFileSync(place.file.path, '[{"id": "a", "id": "b"}]');
  await expect(add({ dir: 'new/deep' })).resolves.toBe('workspace-1'); // only the one that is changed is touched
  place = await openListPlace(box, '{"workspaces": [], "workspaces": []}');
  await expect(add({ dir: 'other/deep', name: 'Other' })).rejects.toThrow('the same key twice');
  expect(existsSync(join(box.dir, 'new', 'deep'))).toBe(true);
  expect(existsSync(join(box.dir, 'other'))).toBe(false);
});

test('two people who edit the same entry: the second is told', async () => {
  await open({ id: 'a', work_dir: 'work', note: 'kept' });
  const { revision } = entryOf('a');
  await changeWorkspace(place, 'a', { revision, name: 'First' }, () => false);
  await expect(changeWorkspace(place, 'a', { revision, name: 'Second' }, () => false)).rejects.toMatchObject({
    ...{ kind: 'conflict', code: 'workspace.changed', details: { name: 'First' } },
  });
  expect(written()).toEqual([{ id: 'a', work_dir: 'work', note: 'kept', name: 'First' }]);
  // also both at once
  const both = await Promise.allSettled([change('a', { name: 'One' }), change('a', { name: 'Two' })]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await expect(changeWorkspace(place, 'gone', { revision }, () => false)).rejects.toMatchObject({
    kind: 'notFound',
  });
});

test('a hand edit counts as an edit', async () => {
  await open({ id: 'a', work_dir: 'work' });
  const { revision } = entryOf('a');
  writeFileSync(place.file.path, '[{"id": "a", "work_dir": "."}]');
  await expect(changeWorkspace(place, 'a', { revision, name: 'X' }, () => false)).rejects.toMatchObject({
    code: 'workspace.changed',
  });
  expect(entryOf('a').dir).toBe(box.workDir);
});

test('places in the list change without touching an entry, the last is the end', async () => {
  await open({ id: 'a', work_dir: 'work' }, { id: 'b', work_dir: 'work' }, { work_dir: 'work' });
  const { revision } = entryOf('a');
  await change('a', { position: 99 });
  expect(place.file.entries.map(({ id }) => id)).toEqual(['b', 'workspace-1', 'a']);
  await change('workspace-1', { position: 0 });
  expect(place.file.entries.map(({ id }) => id)).toEqual(['workspace-1', 'b', 'a']);
  expect(entryOf('a').revision).toBe(revision);
  expect(written()).toEqual([
    { work_dir: 'work' },
    { id: 'b', work_dir: 'work' },
    { id: 'a', work_dir: 'work' },
  ]);
});

test('a directory that is missing is made when that is asked for, and refused when it is not', async () => {
  await open({ id: 'a', work_dir: 'gone/deep' }, { id: 'b', cwd: 'work' });
  expect(entryOf('a').fault).toMatchObject({ code: 'entry.dirMissing' });
  await change('a', { createDir: true });
  expect(entryOf('a').problem).toBeUndefined();
  await expect(change('b', { dir: 'nowhere' })).rejects.toMatchObject({
    ...{ code: 'entry.dirMissing', details: { field: 'dir', path: join(box.dir, 'nowhere') } },
    message: `${join(box.dir, 'nowhere')} does not exist.`,
  });
  await change('b', { dir: 'nowhere', createDir: true });
  expect(written()[1]).toEqual({ id: 'b', cwd: 'nowhere' });
});

test('directory and board stay while a turn runs; the name does not mind', async () => {
  await open({ work_dir: 'work' });
  const busy = { kind: 'conflict', code: 'workspace.busy' };
  await expect(change('workspace-1', { dir: '.' }, () => true)).rejects.toMatchObject(busy);
  await expect(change('workspace-1', { board: 'b.html' }, () => true)).rejects.toMatchObject(busy);
  await change('workspace-1', { name: 'Busy', dir: 'work', position: 0 }, () => true);
  await change('workspace-1', { dir: '.' });
  // its id was by its directory: from now on it is written
  expect(written()).toEqual([{ work_dir: '.', name: 'Busy', id: 'workspace-1' }]);
});

test('a broken entry can be mended, renamed and removed; one that is no object is left to hands', async () => {
  await open({ id: 'a', work_dir: 7 }, 'text', { id: 'bad id', work_dir: 'work' });
  await change('a', { name: 'Still broken' });
  await change('a', { dir: 'work' });
  expect(entryOf('a').problem).toBeUndefined();
  await expect(change('workspace-1', { name: 'X' })).rejects.toThrow(/Correct it in the file first: .*\[1\]/);
  await removeWorkspace(place.file, 'workspace-1');
  await removeWorkspace(place.file, 'workspace-2');
  expect(written()).toEqual([{ id: 'a', work_dir: 'work', name: 'Still broken' }]);
  await expect(removeWorkspace(place.file, 'workspace-2')).rejects.toMatchObject({
    ...{ kind: 'notFound', message: 'There is no workspace workspace-2 any more.' },
  });
});

test('of two entries without an id in one directory each keeps its own, when read again, moved and removed', async () => {
  const twins = [
    { name: 'A', work_dir: '.' },
    { name: 'B', work_dir: '.' },
  ];
  const ids = () => place.file.entries.map(({ name, id }) => `${name} ${id}`);
  await open(...twins);
  await place.file.refresh();
  expect(ids()).toEqual(['A workspace-1', 'B workspace-2']);
  await change('workspace-2', { position: 0 });
  expect(ids()).toEqual(['B workspace-2', 'A workspace-1']);
  place.file.close();
  await open(...twins);
  expect(ids()).toEqual(['A workspace-1', 'B workspace-2']);
  await removeWorkspace(place.file, 'workspace-1');
  expect(ids()).toEqual(['B workspace-2']);
  await place.file.refresh();
  expect(ids()).toEqual(['B workspace-2']);
});

test('an entry that is null says so, whatever is asked of it', async () => {
  await open(null);
  await expect(change('workspace-1', { dir: 'work' })).rejects.toMatchObject({
    ...{ code: 'workspace.byHand', message: expect.stringContaining('Correct it in the file first: ') },
  });
});
