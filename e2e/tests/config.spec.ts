/** config.toml under a running server: edits, broken ones, profiles, trusted projects. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { answered, notices } from '../support/conversation.ts';
import { StartPage } from '../support/start-page.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

/** As most editors save: a new file in the place of the old one. */
function save(path: string, text: string): void {
  writeFileSync(`${path}~`, text);
  renameSync(`${path}~`, path);
}

const AS_IT_IS = /model = "scripted"/;

test('an edited file holds for the next session; those before keep what they have', async ({
  box,
  model,
  server,
}) => {
  const file = join(box.codexHome, 'config.toml');
  const before = await server.newSession();
  save(file, readFileSync(file, 'utf8').replace(AS_IT_IS, 'model = "edited"\nmodel_verbosity = "low"'));
  const after = await server.newSession();
  for (const session of [before, after]) {
    await server.send(session, 'hello');
    await server.idle(session);
  }
  expect(model.requests.map((request) => [request.model, request.text])).toEqual([
    ['scripted', undefined],
    ['edited', { verbosity: 'low' }],
  ]);
});

test('a broken edit is told on the start page, with what it said before in force, until it is mended', async ({
  box,
  page,
  server,
}) => {
  await StartPage.open(page, server);
  const file = join(box.codexHome, 'config.toml');
  const whole = readFileSync(file, 'utf8');
  const alert = page.getByRole('alert').filter({ hasText: 'configuration is wrong' });
  await expect(alert).toHaveCount(0);

  const broken = whole.replace('model_provider', 'model_provider = "twice"\nmodel_provider');
  save(file, broken);
  await expect(alert).toContainText(`${file}:3:`);
  await expect(alert).toContainText('model_provider');
  const session = await server.newSession();
  expect((await server.state(session)).model).toBe('scripted');
  await server.send(session, 'hello');
  expect(answered(await server.idle(session))).toEqual(['OK.']);
  expect(readFileSync(file, 'utf8')).toBe(broken);

  save(file, whole.replace(AS_IT_IS, 'model = "mended"\nmodle = "m"'));
  await expect(alert).toHaveCount(0);
  await page.getByText('1 note on the configuration').click();
  await expect(page.getByText(`${file}:2: modle is unknown; did you mean model?`)).toBeVisible();
  expect((await server.state(await server.newSession())).model).toBe('mended');
});

test('a profile is chosen in the menu, and the session says so', async ({ box, model, page, server }) => {
  writeFileSync(join(box.codexHome, 'fast.config.toml'), 'model = "small"\n');
  const view = await WorkspaceView.open(page, server);
  await page.getByRole('button', { name: 'Choose model and directory…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Profile').selectOption({ label: 'fast · small' });
  await expect(dialog.getByLabel('Model')).toHaveText(/^small/);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByTitle('Profile')).toHaveText('fast');
  await view.send('hello');
  await expect(view.conversation).toContainText('OK.');
  expect(model.requests.map((request) => request.model)).toEqual(['small']);
});

test('a profile stays the session’s over a restart, and is missed by its name', async ({
  box,
  model,
  start,
}) => {
  const profile = join(box.codexHome, 'fast.config.toml');
  writeFileSync(profile, 'model_verbosity = "low"\n');
  let server = await start();
  const session = await server.newSession('demo', { profile: 'fast' });
  await server.kill('SIGTERM');
  server = await start();
  await server.send(session, 'hello');
  expect(await server.idle(session)).toMatchObject({ profile: 'fast', model: 'scripted' });
  expect(model.requests.map((request) => request.text)).toEqual([{ verbosity: 'low' }]);

  rmSync(profile);
  await server.api('DELETE', `api/sessions/${session}`);
  await server.newSession('demo', { resume: session });
  await server.send(session, 'and now?');
  const state = await server.until(session, ({ status }) => status === 'paused');
  expect(notices(state).map(({ text }) => text)).toContainEqual(
    expect.stringContaining('The profile "fast" of this session is gone'),
  );
  expect(model.requests).toHaveLength(1);
  const refused = await server.request('POST', 'api/workspaces/demo/sessions', { profile: 'fast' });
  expect([refused.status, await refused.json()]).toEqual([
    400,
    { error: expect.objectContaining({ code: 'session.profile', message: 'There is no profile "fast".' }) },
  ]);
});

test('a project that is trusted says how to work in it, and cannot loosen anything', async ({
  box,
  model,
  server,
}) => {
  const file = join(box.codexHome, 'config.toml');
  mkdirSync(join(box.workDir, '.codex'));
  writeFileSync(
    join(box.workDir, '.codex/config.toml'),
    'developer_instructions = "Of the project."\nsandbox_mode = "danger-full-access"\napproval_policy = "untrusted"\n[model_providers.fake]\nbase_url = "http://127.0.0.1:9"\n',
  );
  const told = () => JSON.stringify(model.requests.at(-1)?.input ?? '').includes('Of the project.');
  const ask = async () => {
    const session = await server.newSession();
    await server.send(session, 'hello');
    return server.idle(session);
  };
  await ask();
  expect(told()).toBe(false);
  save(
    file,
    `${readFileSync(file, 'utf8')}\n[projects.${JSON.stringify(box.workDir)}]\ntrust_level = "trusted"\n`,
  );
  expect(await ask()).toMatchObject({ sandboxMode: 'workspace-write', approvalPolicy: 'untrusted' });
  expect(told()).toBe(true);
  const { config } = await server.api<{ config: { notices: { code: string }[] } }>('GET', 'api/workspaces');
  expect(config.notices.map(({ code }) => code)).toEqual(['config.projectKey', 'config.looser']);
});

test('-c, --system-prompt and --toolset hold for all sessions', async ({ model, start }) => {
  const server = await start(
    ...['-c', 'model=from-the-line', '--system-prompt', 'Answer in verse.'],
    ...['--toolset', 'view_image,exec_command'],
  );
  const session = await server.newSession();
  await server.send(session, 'hello');
  await server.idle(session);
  const [request] = model.requests;
  expect(request?.model).toBe('from-the-line');
  expect(JSON.stringify(request)).toContain('Answer in verse.');
  expect(request?.tools.map(({ name }) => name)).toEqual(['view_image', 'exec_command']);
});
