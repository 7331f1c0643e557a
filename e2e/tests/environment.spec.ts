/** What commands have in their environment: the login shell's, by the policy, without the server's secrets. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { FULL_ACCESS } from '../support/browser-stage.ts';
import { lastOutput, notices } from '../support/conversation.ts';
import type { FakeModel } from '../support/fake-model.ts';
import { type Scene, test } from '../support/stage.ts';

/** Keys that the server may have for its provider and others, and an agent that acts for whoever started it. */
const SERVER = {
  OPENAI_API_KEY: 'key-of-the-server',
  OTHER_KEY: 'another-key',
  SSH_AUTH_SOCK: '/tmp/agent',
  PLAIN: 'plain',
  EDITOR: 'vi',
};

/** The environment of a command that the model runs. */
async function environment(model: FakeModel, { server, session }: Scene): Promise<Map<string, string>> {
  model.answer([{ call: 'exec_command', args: { cmd: 'env' } }]);
  await server.send(session, 'run it');
  await server.idle(session);
  const lines = lastOutput(model.requests.at(-1)).split('\n');
  return new Map(lines.map((line) => [line.replace(/=.*/, ''), line.replace(/^[^=]*=/, '')]));
}

function profile({ box }: Scene, text: string): Promise<void> {
  return writeFile(join(box.dir, '.bash_profile'), text);
}

test('commands have what the login shell adds, and none of the server’s secrets', async ({ model, open }) => {
  const scene = await open({ toml: FULL_ACCESS, env: SERVER });
  await profile(scene, 'export PATH="$HOME/of-the-profile:$PATH" NVM_DIR="$HOME/nvm" MY_TOKEN=t; echo hello');
  const env = await environment(model, scene);
  expect(env.get('PATH')).toContain(`${scene.box.dir}/of-the-profile:`);
  expect(env.get('NVM_DIR')).toBe(`${scene.box.dir}/nvm`);
  expect(env.get('EDITOR')).toBe('cat');
  for (const name of [...Object.keys(SERVER), 'MY_TOKEN', 'CODEX_HOME'].filter((name) => name !== 'EDITOR'))
    expect([name, env.get(name)]).toEqual([name, undefined]);
});

test('the policy of the configuration holds for what is inherited, from the server and the login shell', async ({
  model,
  open,
}) => {
  const policy = `[shell_environment_policy]
inherit = "all"
ignore_default_excludes = true
exclude = ["NVM_*"]
set = { SET_BY_POLICY = "yes" }
`;
  const scene = await open({ toml: FULL_ACCESS + policy, env: SERVER });
  await profile(scene, 'export NVM_DIR=x FROM_PROFILE=yes');
  const env = await environment(model, scene);
  expect(env.get('SET_BY_POLICY')).toBe('yes');
  expect(env.get('FROM_PROFILE')).toBe('yes');
  expect(env.get('PLAIN')).toBe('plain');
  // whoever asks for secrets gets them, but never the server's own
  expect(env.get('OTHER_KEY')).toBe('another-key');
  for (const name of ['OPENAI_API_KEY', 'SSH_AUTH_SOCK', 'NVM_DIR'])
    expect([name, env.get(name)]).toEqual([name, undefined]);
});

test('/env reads the profile again, and tells what has changed or why it cannot', async ({ model, open }) => {
  const scene = await open({ toml: FULL_ACCESS });
  const { server, session } = scene;
  await profile(scene, 'export GOPATH=/one');
  expect((await environment(model, scene)).get('GOPATH')).toBe('/one');

  const told = async (count: number) => {
    await server.send(session, '/env');
    return notices(await server.until(session, (state) => notices(state).length === count)).at(-1);
  };
  await profile(scene, 'export GOPATH=/two GOROOT=/root');
  expect(await told(1)).toMatchObject({
    level: 'info',
    text: 'The environment of commands was read again: +GOROOT ~GOPATH',
  });
  expect((await environment(model, scene)).get('GOPATH')).toBe('/two');
  expect(await told(2)).toMatchObject({ text: expect.stringContaining('Nothing has changed.') });

  await profile(scene, 'exit 1');
  expect(await told(3)).toMatchObject({ level: 'error', code: 'environment.profile' });
  expect((await environment(model, scene)).get('GOPATH')).toBe('/two');
});

test('the profile is read as confined as commands are', async ({ model, open }) => {
  const toml = 'approval_policy = "never"\n[sandbox_workspace_write]\nexclude_slash_tmp = true\n';
  const scene = await open({ toml, confined: true });
  await profile(
    scene,
    'export GOPATH=/of-the-profile; touch "$HOME/outside"; export TZ=$(cat ~/codex/config.toml)',
  );
  const env = await environment(model, scene);
  expect([env.get('GOPATH'), env.get('TZ')]).toEqual(['/of-the-profile', '']);
  expect(existsSync(join(scene.box.dir, 'outside'))).toBe(false);
});
