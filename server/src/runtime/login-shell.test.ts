import type { Permissions, SandboxMode } from '@tscodex/shared/permissions';
import { expect, test } from 'vitest';
import type { Config } from '../base/config/config.ts';
import { commandEnvironment } from '../exec/environment.ts';
import type { Sandbox } from '../exec/sandbox/sandbox.ts';
import { loginEnvironment } from './login-shell.ts';

function scene(sandbox: SandboxMode, lost: boolean) {
  const told: unknown[] = [];
  let started = 0;
  const environment = loginEnvironment(
    { cwd: '/work' },
    {
      start: () => {
        started++;
        throw new Error('started');
      },
    },
    { current: { sandbox } as Permissions, confinement: () => null },
    {
      config: {
        environment: { inherit: 'core', secrets: false, exclude: [], set: {}, includeOnly: [] },
      } as unknown as Config,
      ...{ env: { PATH: '/usr/bin' }, sandbox: { lost } as Sandbox },
      fault: (_what, error) => told.push(error),
    },
  );
  return { environment, told, started: () => started };
}

test('where confinement was lost no profile runs by itself, and commands get what the server has', async () => {
  const { environment, told, started } = scene('workspace-write', true);
  const env = await environment.get(new AbortController().signal);
  expect(env).toEqual(commandEnvironment({ PATH: '/usr/bin' }));
  expect(told).toMatchObject([{ code: 'environment.profile' }]);
  await expect(environment.refresh()).rejects.toMatchObject({ code: 'environment.profile' });
  expect(started()).toBe(0);
});

test.each([
  ['danger-full-access', true],
  ['workspace-write', false],
] as const)(
  'it runs where a person wanted everything open, or nothing was lost: %s, %s',
  async (mode, lost) => {
    const { environment, started } = scene(mode, lost);
    await environment.get(new AbortController().signal);
    expect(started()).toBe(1);
  },
);
