/** An agent that is idle wakes by itself: for the end of a command that it left running, and by its clock. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { SessionState } from '@tscodex/shared/session-state';
import { FULL_ACCESS, test } from '../support/browser-stage.ts';
import type { ModelRequest, Step } from '../support/fake-model.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

/** A command that goes on until the file is there. */
const waitsFor = (file: string, more = {}): Step => ({
  call: 'exec_command',
  args: {
    cmd: `until [ -e ${file} ]; do sleep 0.1; done; echo saw ${file}; exit 3`,
    yield_time_ms: 250,
    ...more,
  },
});
const never: Step = { wait: new Promise(() => undefined) };
const codes = ({ items }: SessionState) =>
  items.flatMap((item) => (item.type === 'notice' ? [item.code] : []));
const says = (text: string) => (state: SessionState) =>
  state.items.some((item) => item.type === 'agentMessage' && item.text === text);

/** What the model was told without a person, by the tag. */
function wakes(request: ModelRequest | undefined): string[] {
  return (request?.input ?? []).flatMap(({ role, content }) =>
    role === 'user'
      ? (content as { text: string }[]).flatMap(
          ({ text }) => /^<(exec_command_completed|clock_tick)>/.exec(text)?.[1] ?? [],
        )
      : [],
  );
}

test.describe('in the page', () => {
  test.use({ toml: FULL_ACCESS });

  test('the status says what is waited for, a quiet line what has happened, and the agent goes on', async ({
    page,
    server,
    model,
    box,
  }) => {
    model.answer([waitsFor('go')], [{ text: 'It runs.' }], [{ text: 'It has ended.' }]);
    const view = await WorkspaceView.open(page, server);
    await view.send('start it');
    await expect(view.status).toHaveText(/^waiting for until \[ -e go \]/);
    await writeFile(join(box.workDir, 'go'), '');
    await expect(view.conversation).toContainText(
      /It runs\..*echo saw go; exit 3 ended with exit code 3\..*It has ended\./s,
    );
    await expect(view.status).toHaveText('idle');
    expect(model.requests.map(wakes)).toEqual([[], [], ['exec_command_completed']]);
    expect(JSON.stringify(model.requests[2]?.input.at(-1))).toContain('saw go');
  });

  test('the clock is shown with its next time, rings, and is stopped by whoever wants', async ({
    page,
    server,
    model,
  }) => {
    model.answer(
      [{ call: 'clock', args: { period_m: 0.1 } }],
      [{ text: 'I look every now and then.' }],
      [{ call: 'clock', args: { period_m: 60 } }],
      [{ text: 'From now on every hour.' }],
    );
    const view = await WorkspaceView.open(page, server);
    await view.send('look after it');
    await expect(view.conversation).toContainText('From now on every hour.', { timeout: 30_000 });
    await expect(view.conversation).toContainText('Woken by its clock, every 0.1 min.');
    await expect(view.status).toHaveText(/^next wake .*\d?\d:\d\d/);
    expect(model.requests.map(wakes)).toEqual([[], [], ['clock_tick'], ['clock_tick']]);
    await page.getByRole('button', { name: 'Wakes the agent every hour' }).click();
    await page
      .getByRole('dialog', { name: 'In the background' })
      .getByRole('button', { name: 'Stop the clock' })
      .click();
    await expect(view.status).toHaveText('idle');
    await expect(view.conversation).toContainText('The clock was stopped.');
  });
});

test('kill -9 in a turn that a wake has started: it was told once, is cut, and goes on when somebody says so', async ({
  open,
  model,
}) => {
  const scene = await open({ toml: FULL_ACCESS });
  const { box, session } = scene;
  model.answer(
    [waitsFor('go')],
    [{ text: 'It runs.' }],
    [{ text: 'Looking' }, never],
    [{ text: 'Continued.' }],
  );
  await scene.server.send(session, 'start it');
  await scene.server.until(session, ({ status }) => status === 'sleeping');
  await writeFile(join(box.workDir, 'go'), '');
  await scene.server.until(session, ({ items }) =>
    items.some((item) => item.type === 'agentMessage' && item.text === 'Looking'),
  );
  await scene.server.kill('SIGKILL');
  scene.server = await box.start();
  const state = await scene.server.idle(session);
  expect(state).toMatchObject({ status: 'idle', canContinue: true });
  expect(codes(state)).toEqual(['wake.command', 'turn.interrupted']);
  await scene.server.api('POST', `api/sessions/${session}/resume`);
  await scene.server.until(session, says('Continued.'));
  expect(wakes(model.requests.at(-1))).toEqual(['exec_command_completed']);
});

test('a clock outlives kill -9, and the session need not be opened for it', async ({ open, model }) => {
  const scene = await open({ toml: FULL_ACCESS });
  const { box, session } = scene;
  model.answer([{ call: 'clock', args: { period_m: 0.1 } }], [{ text: 'Set.' }], [{ text: 'All is well.' }]);
  await scene.server.send(session, 'look after it');
  const set = await scene.server.until(session, ({ clock }) => clock?.nextAt != null);
  expect(set).toMatchObject({ status: 'sleeping', clock: { periodMinutes: 0.1 } });
  await scene.server.kill('SIGKILL');
  scene.server = await box.start();
  await model.asked(3);
  const state = await scene.server.until(session, says('All is well.'));
  expect(codes(state)).toEqual(['wake.clock']);
});

test('a closed session is woken by nothing, also once it is opened again', async ({ open, model }) => {
  const { server, session, box } = await open({ toml: FULL_ACCESS });
  model.answer([{ call: 'clock', args: { period_m: 60 } }, waitsFor('go')], [{ text: 'Set.' }]);
  await server.send(session, 'look after it');
  await server.until(session, ({ status, background }) => status === 'sleeping' && background.length === 1);
  await server.api('DELETE', `api/sessions/${session}`);
  await writeFile(join(box.workDir, 'go'), '');
  const path = 'api/workspaces/demo/sessions';
  const again = await server.api<{ session: SessionState }>('POST', path, { resume: session });
  expect(again.session).toMatchObject({ status: 'idle', clock: null, background: [] });
  expect(model.requests).toHaveLength(2);
});

test('a restart of the server that ends a command tells the agent so, once', async ({ open, model }) => {
  const scene = await open({ toml: FULL_ACCESS });
  const { session } = scene;
  const cmd = 'trap "echo bye; exit 0" TERM; while :; do sleep 0.1; done';
  model.answer(
    [{ call: 'exec_command', args: { cmd, yield_time_ms: 250 } }],
    [{ text: 'It runs.' }],
    [{ text: 'Told.' }],
  );
  await scene.server.send(session, 'start it');
  await scene.server.until(session, ({ status }) => status === 'sleeping');
  await scene.restart();
  const state = await scene.server.until(session, says('Told.'));
  expect(codes(state)).toEqual(['wake.command']);
  expect(state.background).toEqual([]);
  expect(model.requests.map(wakes)).toEqual([[], [], ['exec_command_completed']]);

  await scene.restart();
  expect(await scene.server.idle(session)).toMatchObject({ background: [] });
  expect(model.requests).toHaveLength(3);
});
