import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConfigDocument } from './config-document.ts';
import { readEntries, type WorkspaceEntry } from './config-file.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'config-file-')));
  path = join(dir, 'workspaces.json');
  for (const name of ['a', 'b', 'codex', 'codex/scratch']) mkdirSync(join(dir, name));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

function read(config: unknown): Promise<WorkspaceEntry[]> {
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  const forbidden = [join(dir, 'codex')];
  const places = { forbidden, except: join(dir, 'codex', 'scratch') };
  return readEntries(ConfigDocument.parse(path, text), { places });
}

/** Id and problem of each entry, in short. */
async function problems(config: unknown): Promise<[string, string | undefined][]> {
  return (await read(config)).map(({ id, problem }) => [id, problem?.message]);
}

test('both forms say the same; keys that are not ours are no problem', async () => {
  const list = [{ id: 'one', work_dir: 'a', state_path: 'x.json', note: 1 }];
  const expected = [
    {
      id: 'one',
      name: 'one',
      dir: join(dir, 'a'),
      path: join(dir, 'a'),
      place: join(dir, 'a'),
      board: { enabled: true, path: join(dir, 'a', '.tscodex', 'one.html') },
      permissions: {},
      revision: expect.stringMatching(/^[0-9a-f]{16}$/),
    },
  ];
  expect(await read(list)).toEqual(expected);
  expect(await read({ version: 3, workspaces: list })).toEqual(expected);
  expect(await read(`\uFEFF${JSON.stringify(list)}`)).toEqual(expected);
});

test('paths start at the file, ~ is home, links are resolved', async () => {
  vi.stubEnv('HOME', join(dir, 'b'));
  symlinkSync('a', join(dir, 'link'));
  expect(
    await read([
      { id: 'link', work_dir: './link', board: 'link/x.htm' },
      { id: 'home', cwd: '~', board: '~/board.HTML', name: 'At home' },
      { id: 'absolute', work_dir: join(dir, 'a'), enable_board: false },
    ]),
  ).toMatchObject([
    { dir: join(dir, 'a'), board: { enabled: true, path: join(dir, 'a', 'x.htm') } },
    { name: 'At home', dir: join(dir, 'b'), board: { path: join(dir, 'b', 'board.HTML') } },
    { dir: join(dir, 'a'), board: { enabled: false } },
  ]);
});

test('entries without an id get the lowest workspace-N that the file leaves free', async () => {
  const config = [
    { work_dir: 'a' },
    { id: 'workspace-2', work_dir: 'a' },
    { work_dir: 'a' },
    { work_dir: 'gone' },
  ];
  expect((await read(config)).map((entry) => entry.id)).toEqual([
    'workspace-1',
    'workspace-2',
    'workspace-3',
    'workspace-4',
  ]);
});

test('a broken entry is named by place and stops no other', async () => {
  writeFileSync(join(dir, 'file'), '');
  const config = {
    workspaces: [
      { id: 'good', work_dir: 'a' },
      { id: 'gone', work_dir: 'nowhere' },
      { id: 'file', cwd: 'file' },
      { id: 'none' },
      { id: 'bad id', work_dir: 'a', name: 'Spaced' },
      'text',
      { id: 'good', work_dir: 'b' },
      { id: 'typed', work_dir: 7 },
      { id: 'last', work_dir: 'b' },
    ],
  };
  const at = (n: number) => `workspaces.json: workspaces[${n}]`;
  expect(await problems(config)).toEqual([
    ['good', undefined],
    ['gone', `${at(1)}.work_dir: ${join(dir, 'nowhere')} does not exist`],
    ['file', `${at(2)}.cwd: ${join(dir, 'file')} is not a directory`],
    ['none', `${at(3)}.work_dir: is missing: name the directory to work in`],
    ['workspace-1', `${at(4)}.id: may only contain letters, digits, "_" and "-" (at most 100)`],
    ['workspace-2', expect.stringContaining(`${at(5)}: `)],
    ['workspace-3', `${at(6)}.id: good is the id of an earlier entry`],
    ['typed', expect.stringContaining(`${at(7)}.work_dir: `)],
    ['last', undefined],
  ]);
  const [, gone, , , spaced] = await read(config);
  const path = join(dir, 'nowhere');
  expect(gone?.problem).toMatchObject({
    code: 'entry.dirMissing',
    details: { path, place: `${at(1)}.work_dir`, field: 'dir' },
  });
  expect(gone?.fault).toEqual({
    ...{ code: 'entry.dirMissing', key: 'work_dir', message: `${path} does not exist`, details: { path } },
  });
  expect(gone).toMatchObject({ name: 'gone', dir: 'nowhere', board: { enabled: false } });
  expect(spaced?.name).toBe('Spaced');
});

test("a board is an HTML file of its own, in a place that is the user's", async () => {
  writeFileSync(join(dir, 'a', 'secret.txt'), '');
  symlinkSync(join(dir, 'a', 'secret.txt'), join(dir, 'a', 'sly.html'));
  symlinkSync(join(dir, 'codex'), join(dir, 'a', 'way'));
  const board = (n: number) => `workspaces.json: [${n}].board: `;
  expect(
    await problems([
      { id: 'one', work_dir: 'a', board: 'a/board.html' },
      { id: 'same', work_dir: 'b', board: './a/../a/board.html' },
      { id: 'off', work_dir: 'b', board: 'a/board.html', enable_board: false },
      { id: 'text', work_dir: 'a', board: 'a/notes.md' },
      { id: 'sly', work_dir: 'a', board: 'a/sly.html' },
      { id: 'state', work_dir: 'a', board: 'a/way/board.html' },
      { id: 'inner', work_dir: 'codex' },
      { id: 'scratch', work_dir: 'codex/scratch' },
      { id: 'nowhere', work_dir: 'a', board: 'gone/board.html' },
    ]),
  ).toEqual([
    ['one', undefined],
    ['same', `${board(1)}${join(dir, 'a', 'board.html')} is the board of an earlier entry`],
    ['off', undefined],
    ['text', `${board(3)}${join(dir, 'a', 'notes.md')} is no .html or .htm file`],
    ['sly', `${board(4)}${join(dir, 'a', 'secret.txt')} is no .html or .htm file`],
    ['state', expect.stringContaining(`${board(5)}${join(dir, 'codex', 'board.html')} lies in`)],
    ['inner', expect.stringContaining(`${board(6)}${join(dir, 'codex', '.tscodex', 'inner.html')} lies in`)],
    ['scratch', undefined],
    ['nowhere', `${board(8)}the directory ${join(dir, 'gone')} does not exist`],
  ]);
});

test.each([
  ['{"workspaces": [\n  {"id": "a",}\n]}', 'json', /workspaces\.json:2:14: not valid JSON/],
  ['', 'json', /workspaces\.json:1:1: not valid JSON/],
  ['{"workspace": []}', 'shape', /workspaces\.json: needs a list of workspaces/],
  ['null', 'shape', /needs a list of workspaces/],
  ['"text"', 'shape', /needs a list of workspaces/],
])('%j is refused whole', (text, code, message) => {
  const refusal = { kind: 'invalid', code: `workspaces.${code}`, message: expect.stringMatching(message) };
  expect(() => ConfigDocument.parse(path, text)).toThrow(expect.objectContaining(refusal));
});
