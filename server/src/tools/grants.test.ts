import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectStillTrue, isNothing, resolveGrants, stillTrue, withGrants } from './grants.ts';

let dir: string;
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'grants-')));
  for (const name of ['w', 'data', 'state', 'state/demo']) await mkdir(join(dir, name));
});
afterEach(() => rm(dir, { recursive: true }));

const at = (path: string) => join(dir, path);
const never = () => ({ places: [at('state')], except: [at('state/demo')], files: [at('list.json')] });

test('grants add up, each thing once', () => {
  expect(withGrants({ network: true, write: ['/a'] }, { write: ['/a', '/b'], read: ['/c'] })).toEqual({
    network: true,
    write: ['/a', '/b'],
    read: ['/c'],
  });
  expect(withGrants({}, { unconfined: true })).toEqual({ unconfined: true });
  expect(isNothing({ read: [] })).toBe(true);
  expect(isNothing({ network: true })).toBe(false);
});

test('paths are resolved from the working directory, through links', async () => {
  await symlink(at('data'), at('w/link'));
  const asked = { network: true, write: ['link', '../data'], read: [at('data')] } as const;
  expect(
    await resolveGrants({ ...asked, write: [...asked.write], read: [...asked.read] }, at('w'), never()),
  ).toEqual({
    network: true,
    write: [at('data')],
    read: [at('data')],
  });
});

test("what equals, contains or lies in the server's own places is nobody's to allow", async () => {
  await symlink(at('state'), at('w/innocent'));
  await mkdir(at('state/deep'));
  for (const path of ['../state', '../state/deep', '..', 'innocent', '/'])
    for (const how of ['read', 'write'])
      await expect(resolveGrants({ [how]: [path] }, at('w'), never())).rejects.toMatchObject({
        code: 'grants.never',
      });
  expect(await resolveGrants({ write: ['.'] }, at('state/demo'), never())).toEqual({
    write: [at('state/demo')],
  });
});

test('a file of the server is nobody’s to allow, the directory it lies in is', async () => {
  await writeFile(at('w/list.json'), '');
  const places = { places: [], except: [], files: [at('w/list.json')] };
  await expect(resolveGrants({ write: ['list.json'] }, at('w'), places)).rejects.toMatchObject({
    code: 'grants.never',
  });
  expect(await resolveGrants({ write: ['.'] }, at('w'), places)).toEqual({ write: [at('w')] });
});

test('what does not exist is named', async () => {
  await expect(resolveGrants({ write: ['nowhere'] }, at('w'), never())).rejects.toMatchObject({
    code: 'grants.missing',
    message: expect.stringContaining('nowhere'),
  });
});

test('a path that was turned elsewhere is not what was allowed', async () => {
  const grants = { network: true as const, write: [at('data')] };
  expect(await stillTrue(grants)).toEqual(grants);
  await expectStillTrue(grants);
  await rm(at('data'), { recursive: true });
  await symlink(at('w'), at('data'));
  expect(await stillTrue(grants)).toEqual({ network: true });
  await expect(expectStillTrue(grants)).rejects.toMatchObject({ code: 'grants.changed' });
});
