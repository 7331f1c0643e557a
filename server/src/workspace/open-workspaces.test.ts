import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigDocument } from './config-document.ts';
import { readEntries } from './config-file.ts';
import { OpenWorkspaces } from './open-workspaces.ts';

function scene() {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'tscodex-open-')));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  let changed: () => void = () => undefined;
  const workspaces = new OpenWorkspaces({ changed: () => changed(), directoryStirred: () => undefined });
  onTestFinished(() => workspaces.close());
  const take = async (...list: unknown[]) => {
    const document = ConfigDocument.parse(join(dir, 'workspaces.json'), JSON.stringify(list));
    workspaces.update(await readEntries(document, { places: { forbidden: [] } }));
  };
  const until = async (found: () => boolean) => {
    while (!found()) await new Promise<void>((resolve) => (changed = resolve));
  };
  const make = (name: string) => mkdirSync(join(dir, name), { recursive: true });
  return { dir, workspaces, take, until, make };
}

test('whatever is wrong with a workspace, others are kept apart from its directory', async () => {
  const { dir, workspaces, take, make } = scene();
  for (const name of ['a', 'b', 'c', 'd']) make(name);
  symlinkSync(dir, join(dir, 'link'));
  await take(
    { id: 'a', work_dir: 'a' },
    { id: 'b', work_dir: 'link/b', board: 'b/gone/board.html' },
    { id: 'b', cwd: 'c' },
    { id: 'e', work_dir: 'link/gone/now' },
    { id: 'f', work_dir: 'd', sandbox: 'none of ours' },
    { id: 'g' },
  );
  const [a, b, c, d, gone] = ['a', 'b', 'c', 'd', 'gone/now'].map((name) => join(dir, name));
  expect(workspaces.rules('a')).toEqual({ dir: a, permissions: {}, otherDirs: [b, c, gone, d] });
  // what its agents have written there is theirs still
  expect(workspaces.rules('b')).toEqual({ dir: null, permissions: {}, otherDirs: [a, b, c, gone, d] });
  expect(workspaces.rules('unlisted').otherDirs).toEqual(workspaces.places);
});

test('an agent that takes away the place of its board opens its directory to nobody', async () => {
  const { dir, workspaces, take, until, make } = scene();
  for (const name of ['a', 'b']) make(name);
  writeFileSync(join(dir, 'a/.tscodex'), '');
  await take({ id: 'a', work_dir: 'a' }, { id: 'b', work_dir: 'b' });
  await until(() => workspaces.get('a').problem?.code === 'entry.boardPlace');
  expect(workspaces.rules('b').otherDirs).toEqual([join(dir, 'a')]);
  expect(workspaces.rules('a')).toMatchObject({ dir: join(dir, 'a'), otherDirs: [join(dir, 'b')] });
});
