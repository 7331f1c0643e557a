import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { spawnSnippet } from './snippet.test-support.ts';
import { loginToken, openStateDir } from './state-dir.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'state-dir-')));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('the flag goes before the environment, that before CODEX_HOME; new ones are private', () => {
  const [flag, env, codexHome] = [join(dir, 'flag'), join(dir, 'env'), join(dir, 'codex')];
  expect(openStateDir({ flag, env: { TSCODEX_STATE_DIR: env }, codexHome })).toBe(flag);
  expect(openStateDir({ env: { TSCODEX_STATE_DIR: env }, codexHome })).toBe(env);
  expect(openStateDir({ env: {}, codexHome })).toBe(join(codexHome, 'tscodex'));
  for (const made of [flag, env, join(codexHome, 'tscodex')]) expect(statSync(made).mode & 0o777).toBe(0o700);
});

test('a directory that is there keeps its mode', () => {
  const flag = join(dir, 'there');
  mkdirSync(flag, { mode: 0o750 });
  openStateDir({ flag, env: {}, codexHome: dir });
  expect(statSync(flag).mode & 0o777).toBe(0o750);
});

test('one that cannot be used is refused by name, with the flag that helps', () => {
  writeFileSync(join(dir, 'file'), '');
  const flag = join(dir, 'file', 'below');
  expect(() => openStateDir({ flag, env: {}, codexHome: dir })).toThrow(
    expect.objectContaining({
      kind: 'invalid',
      code: 'state.dir',
      message: expect.stringMatching(new RegExp(`${flag}.*--state-dir`)),
    }),
  );
});

test.runIf(process.platform === 'linux')(
  'one that nobody can make is refused, not tried for ever',
  async () => {
    const source = `import { openStateDir } from './state-dir.ts';
    try { openStateDir({ flag: '/proc/none/below', env: {}, codexHome: '/' }); }
    catch (error) { console.log(error.message); }`;
    const child = await spawnSnippet(dir, source);
    const patience = setTimeout(() => child.process.kill('SIGKILL'), 4_000);
    const { value } = await child.lines.next();
    clearTimeout(patience);
    expect(value).toMatch(/^cannot use the state directory \/proc\/none\/below: ENOENT.*--state-dir$/);
  },
);

test('the login token is made once, long, and private', () => {
  const token = loginToken(dir);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(loginToken(dir)).toBe(token);
  expect(readFileSync(join(dir, 'token'), 'utf8')).toBe(`${token}\n`);
  expect(statSync(join(dir, 'token')).mode & 0o777).toBe(0o600);
});

test('an emptied token file is named, not used', () => {
  writeFileSync(join(dir, 'token'), '\n');
  expect(() => loginToken(dir)).toThrow(/token holds no token: remove the file/);
});

test('a disk without room leaves no empty token behind', async () => {
  const source = `import { loginToken } from './state-dir.ts';
    try { loginToken(${JSON.stringify(dir)}); } catch (error) { console.log(error.code, error.message); }`;
  const child = await spawnSnippet(dir, source, 0);
  const { value } = await child.lines.next();
  expect(value).toMatch(
    /^state\.token cannot write \S+\/token: EFBIG.*: make room, or choose another --state-dir$/,
  );
  expect(loginToken(dir)).toHaveLength(43);
});
