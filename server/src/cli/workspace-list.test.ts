import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../base/database.ts';
import { migrations } from '../base/migrations.ts';
import { addWorkspace, removeWorkspace } from '../workspace/workspace-edits.ts';
import { openWorkspaceList } from './workspace-list.ts';

async function open() {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'workspace-list-')));
  const [cwd, stateDir] = [join(dir, 'here'), join(dir, 'codex', 'tscodex')];
  await Promise.all([mkdir(cwd), mkdir(stateDir, { recursive: true })]);
  const db = openDatabase(join(stateDir, 'state.sqlite'), { migrations, warn: () => undefined });
  const list = async (flag?: string) => {
    const place = await openWorkspaceList({ flag, cwd, stateDir, codexHome: join(dir, 'codex'), db });
    onTestFinished(() => place.file.close());
    return place;
  };
  onTestFinished(async () => {
    db.close();
    await rm(dir, { recursive: true });
  });
  return { dir, cwd, stateDir, list };
}

const nowhereUsed = () => false;

test('the built-in list is changed like any other; what is added works where the server was started', async () => {
  const { cwd, stateDir, list } = await open();
  const place = await list();
  expect(place.file.path).toBe(join(stateDir, 'workspaces.json'));
  await addWorkspace(place, {}, nowhereUsed);
  await addWorkspace(place, { name: 'Sub', dir: 'sub' }, nowhereUsed);
  expect(place.file.entries.map(({ id, dir, problem }) => [id, dir, problem])).toEqual([
    ['scratch', join(stateDir, 'scratch'), undefined],
    ['workspace-1', cwd, undefined],
    ['Sub', join(cwd, 'sub'), undefined],
  ]);
  await removeWorkspace(place.file, 'scratch');
  // and the next start finds it so
  expect((await list()).file.entries.map(({ id }) => id)).toEqual(['workspace-1', 'Sub']);
});

test("nobody's work goes into the server's own directory, but for the scratch workspace", async () => {
  const { stateDir, list } = await open();
  const place = await list();
  for (const dir of [stateDir, join(stateDir, 'deep'), join(stateDir, '..')])
    await expect(addWorkspace(place, { dir }, nowhereUsed)).rejects.toMatchObject({
      ...{
        code: 'entry.boardForbidden',
        message: expect.stringContaining("lies in the server's own directory"),
      },
    });
  await addWorkspace(place, { dir: join(stateDir, 'scratch', 'more') }, nowhereUsed);
  expect(JSON.parse(await readFile(place.file.path, 'utf8')).workspaces[1]).toEqual({
    ...{ id: 'workspace-1', work_dir: 'scratch/more' },
  });
});

test("a list of the user's own is used where there is one, and is where a flag says", async () => {
  const { dir, cwd, list } = await open();
  await writeFile(join(cwd, 'workspaces.json'), '[{"id": "own", "work_dir": "."}]');
  expect((await list()).home).toBe(cwd);
  expect((await list()).file.entries).toMatchObject([{ id: 'own', dir: cwd }]);
  const flagged = await list('../elsewhere.json');
  expect(flagged).toMatchObject({ home: dir, file: { path: join(dir, 'elsewhere.json'), entries: [] } });
});
