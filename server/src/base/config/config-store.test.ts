/** Files that change while a server runs. */
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { ConfigHome, configured, failureOf } from './config-home.test-support.ts';
import type { ConfigStore } from './config-store.ts';
import { UserConfig } from './user-config.ts';

let home: ConfigHome;
beforeEach(() => {
  home = new ConfigHome();
});

const CONFIGURED =
  'model = "m"\nmodel_provider = "local"\n[model_providers.local]\nbase_url = "http://127.0.0.1:8000/v1"\n';

const modelName = ({ current }: ConfigStore) => configured(current.model).name;
const sessionOf = (profile: string | null = null) => ({ profile, directory: home.dir, workspaces: [] });

/** Resolves once `found` holds; a change rings. */
async function until(store: ConfigStore, found: () => boolean): Promise<void> {
  while (!found())
    await new Promise<void>((resolve) => {
      const stop = store.onChange(() => {
        stop();
        resolve();
      });
    });
}

test('an edit holds for the next session without being waited for; one before keeps what it has', async () => {
  home.write(CONFIGURED);
  const store = await home.open();
  const before = await store.of(sessionOf());
  home.write(CONFIGURED.replace('"m"', '"edited"'));
  expect(configured((await store.of(sessionOf())).model).name).toBe('edited');
  expect(configured(before.model).name).toBe('m');
  expect(modelName(store)).toBe('edited');
});

test('what a broken edit changes is nothing, and it is told until it is mended', async () => {
  const file = home.write(CONFIGURED);
  const store = await home.open();
  home.write('model = "m\n');
  await until(store, () => store.report.problems.length > 0);
  expect(store.report.problems).toMatchObject([{ code: 'config.syntax', details: { file, line: 1 } }]);
  expect(configured((await store.of(sessionOf())).model).name).toBe('m');
  rmSync(file);
  await until(store, () => store.report.problems[0]?.code === 'config.gone');
  expect(modelName(store)).toBe('m');
  home.write(CONFIGURED.replace('"m"', '"mended"'));
  await until(store, () => store.report.problems.length === 0);
  expect(modelName(store)).toBe('mended');
});

test('a file that comes later is seen, and so is one behind a link', async () => {
  const store = await home.open();
  mkdirSync(join(home.dir, 'dotfiles'));
  const target = home.write(CONFIGURED, 'dotfiles/codex.toml');
  symlinkSync(target, join(home.dir, 'config.toml'));
  home.write('model = "p"', 'fast.config.toml');
  await until(store, () => store.profiles.some(({ model }) => model === 'p'));
  expect(modelName(store)).toBe('m');
  home.write(`${CONFIGURED}[profiles.table]\nmodel = "t"`, 'dotfiles/next.toml');
  renameSync(join(home.dir, 'dotfiles/next.toml'), target);
  await until(store, () => store.profiles.length === 2);
});

test('a session keeps its profile; one that is gone is told, with a model that cannot be called', async () => {
  home.write(`${CONFIGURED}[profiles.fast]\nmodel = "small"`);
  const store = await home.open();
  expect(await store.of(sessionOf('fast'))).toMatchObject({ profile: 'fast', model: { name: 'small' } });
  home.write(CONFIGURED);
  expect(await store.of(sessionOf('fast'))).toMatchObject({
    profile: 'fast',
    model: { kind: 'broken', problem: expect.stringContaining('The profile "fast" of this session is gone') },
  });
});

test('the server’s own profile, gone or broken, is a problem; what it said before holds', async () => {
  home.write(`${CONFIGURED}[profiles.fast]\nmodel = "small"`);
  const store = await home.open({ profile: 'fast' });
  home.write(CONFIGURED);
  await store.refresh();
  expect(store.report.problems).toMatchObject([{ code: 'config.profile' }]);
  expect(modelName(store)).toBe('small');
  home.write('model = 5', 'fast.config.toml');
  await store.refresh();
  expect(store.report.problems).toMatchObject([{ code: 'config.type' }]);
  expect((await failureOf(store.of(sessionOf('fast')))).code).toBe('config.type');
});

test('keys are hidden from children, those of profiles and of later edits as well', async () => {
  const hidden = new Set<string>();
  home.write('[model_providers.p]\nenv_key = "P_KEY"', 'p.config.toml');
  const hide = (names: readonly string[]) => {
    for (const name of names) hidden.add(name);
  };
  const env: Record<string, string> = { LATE: 'k' };
  const store = await home.open({ hide, env });
  expect([...hidden]).toEqual(['OPENAI_API_KEY', 'P_KEY']);
  delete env.LATE; // as a server does with what it is told to hide
  home.write(
    'model = "m"\nmodel_provider = "late"\n[model_providers.late]\nbase_url = "http://h"\nenv_key = "LATE"',
  );
  const { model } = await store.of(sessionOf());
  expect(configured(model).provider.apiKey()).toBe('k');
  expect(hidden).toContain('LATE');
});

test('beside a file that lies elsewhere only what was there at the start is read', async () => {
  const configPath = home.write(CONFIGURED, 'elsewhere/my.toml');
  home.write('model = "p"', 'elsewhere/known.config.toml');
  const store = await home.open({ configPath });
  expect(store.profileFiles).toEqual([join(home.dir, 'elsewhere/known.config.toml')]);
  home.write('model = "evil"', 'elsewhere/evil.config.toml');
  home.write('OPENAI_API_KEY=evil', 'elsewhere/.env');
  home.write('model = "q"', 'elsewhere/known.config.toml');
  await store.refresh();
  expect(store.profiles).toEqual([{ name: 'known', model: 'q' }]);
  home.write('model = "m"', 'elsewhere/my.toml');
  await store.refresh();
  expect(store.current.model).toMatchObject({
    problem: expect.stringContaining('OPENAI_API_KEY, which is not'),
  });
});

test('O-G2, O-G3: a model that cannot be called is told before anybody asks it, of each profile as well', async () => {
  const KEY = 'sk-live-0123456789abcdef0123456789abcdef';
  home.write('model = "m"\nmodel_provider = "nosuch"\n');
  home.write(CONFIGURED, 'whole.config.toml');
  home.write(
    'model_provider = "x"\n[model_providers.x]\nbase_url = "http://h"\nenv_key = "X_KEY"',
    'unset.config.toml',
  );
  home.write(
    `model_provider = "x"\n[model_providers.x]\nbase_url = "http://h"\nenv_key = "${KEY}"`,
    'pasted.config.toml',
  );
  home.write('model_verbosity = "low"', 'same.config.toml');
  const store = await home.open();
  expect(store.report.problems).toEqual([
    { code: 'config.model', message: expect.stringContaining('"nosuch" is not known; known are openai') },
    {
      code: 'config.model',
      message: expect.stringMatching(/^profile "pasted": .*wants the name of an environment variable/),
    },
    { code: 'config.model', message: expect.stringMatching(/^profile "unset": .*X_KEY, which is not set/) },
  ]);
  expect(JSON.stringify([store.report, store.profiles])).not.toContain(KEY);
  expect(store.profiles).toEqual([
    { name: 'pasted', model: null, problem: { code: 'config.model', message: expect.any(String) } },
    {
      name: 'same',
      model: null,
      problem: { code: 'config.model', message: expect.stringContaining('nosuch') },
    },
    { name: 'unset', model: null, problem: { code: 'config.model', message: expect.any(String) } },
    { name: 'whole', model: 'm' },
  ]);
  for (const name of ['pasted', 'same', 'unset']) rmSync(join(home.dir, `${name}.config.toml`));
  home.write(CONFIGURED);
  await until(store, () => store.report.problems.length === 0);
  home.write(CONFIGURED.replace('model = "m"\n', ''));
  await until(store, () => store.report.problems.length > 0);
  expect(store.report.problems).toMatchObject([
    { code: 'config.model', message: expect.stringContaining('but no model') },
  ]);
});

test('what nobody expected while a file was read again is told; what was held stays', async () => {
  home.write(CONFIGURED);
  const store = await home.open();
  const looks = vi.spyOn(UserConfig.prototype, 'refresh').mockRejectedValue(new RangeError('too deep'));
  home.write(CONFIGURED.replace('"m"', '"edited"'));
  await until(store, () => store.report.problems.length > 0);
  expect(store.report.problems).toEqual([{ code: 'internal', message: 'too deep' }]);
  expect(modelName(store)).toBe('m');
  looks.mockRestore();
  await store.refresh();
  expect([store.report.problems, modelName(store)]).toEqual([[], 'edited']);
});
