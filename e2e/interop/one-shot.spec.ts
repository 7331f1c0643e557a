/** An agent here has the real Codex do one task: what comes of it, and what is left of it. */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { answered, lastOutput, notices, said } from '../support/conversation.ts';
import type { Answer, FakeModel, Step } from '../support/fake-model.ts';
import { processes, uniqueSeconds } from '../support/processes.ts';
import { follow, never } from '../support/scripts.ts';
import type { RunningServer } from '../support/server.ts';
import { test as base, configure } from './codex-stage.ts';

type Fixtures = {
  /** Starts the server with `[tscodex.subagent_codex]` saying this, over a provider that is asked once. */
  serve(table?: string): Promise<RunningServer>;
};

const test = base.extend<{ serveOnce: Fixtures['serve'] }>({
  serveOnce: async ({ box, serveWithCodex }, use) => {
    await use(async (table = '') => {
      await configure(box, (config) =>
        config.includes('subagent_codex')
          ? config
          : `${config.replace('stream_max_retries = 2', 'request_max_retries = 0\nstream_max_retries = 0')}
[tscodex.subagent_codex]
${table}
`,
      );
      // Codex confines nothing where its files are temporary ones
      const tmp = join(box.dir, 'tmp');
      await mkdir(tmp, { recursive: true });
      return serveWithCodex({ TMPDIR: tmp, OPENAI_API_KEY: 'of the server' });
    });
  },
});

const ask: Step = { call: 'subagent_codex', args: { message: 'do it' } };
const command = (cmd: string): Step => ({ call: 'exec_command', args: { cmd } });

/** What an agent is told that has had Codex do something, which was answered so. */
async function outcome(server: RunningServer, model: FakeModel, ...answers: Answer[]) {
  model.reset();
  model.answer([ask], ...answers, [{ text: 'I see.' }]);
  const id = await server.newSession();
  await server.send(id, 'have it done');
  await server.until(id, (state) => answered(state).includes('I see.'));
  expect(model.requests).toHaveLength(answers.length + 2);
  return JSON.parse(lastOutput(model.requests.at(-1))).status;
}

const failed = (words: RegExp) => ({ errored: expect.stringMatching(words) });

test('what comes of it: success, no answer, 401, 500', async ({ serveOnce, model }) => {
  const server = await serveOnce();
  const error = (status: number): Answer => ({ status, body: '{"error":{"message":"SECRET"}}' });
  expect(await outcome(server, model, [{ text: 'Done: 42.' }])).toEqual({ completed: 'Done: 42.' });
  expect(await outcome(server, model, [{ usage: null }])).toEqual(
    failed(/^codex-agent\.invalid-result: .*\(stage result\)/),
  );
  expect(await outcome(server, model, error(401))).toEqual(
    failed(/^codex-agent\.access-policy: .*\(stage turn, HTTP 401\)/),
  );
  expect(await outcome(server, model, error(500))).toEqual(failed(/^codex-agent\.service: .*\(stage turn/));
  expect(JSON.stringify(model.requests)).not.toContain('SECRET');
});

test('what comes of it: its time is over, there is no such program', async ({ box, serveOnce, model }) => {
  const server = await serveOnce('timeout_sec = 3\ngrace_sec = 0.2');
  // however far it has come by then
  follow(model, { 'have it done': [[ask], [{ text: 'I see.' }]], 'do it': [[never]] });
  const id = await server.newSession();
  await server.send(id, 'have it done');
  await server.until(id, (state) => answered(state).includes('I see.'));
  expect(JSON.parse(lastOutput(model.requests.at(-1))).status).toEqual(
    failed(/^codex-agent\.limit: .* 3 seconds/),
  );
  await server.kill('SIGTERM');
  await configure(box, (config) => config.replace(/^codex_bin = .*$/m, 'codex_bin = "/nowhere/codex"'));
  const without = await serveOnce();
  expect(await outcome(without, model)).toEqual(failed(/^codex-agent\.process: .*\(stage start\)/));
});

test('it works beside the agent that has started it, shown live, and sees no more than that one', async ({
  box,
  serveOnce,
  model,
}) => {
  const server = await serveOnce();
  await writeFile(join(box.workDir, 'note.txt'), 'from the workspace\n');
  // of a command that ends at once Codex does not always tell
  const look = `cat note.txt; cat ${box.codexHome}/config.toml; touch made /usr/of-codex; sleep 1`;
  model.announces = true;
  follow(model, {
    go: [
      [{ call: 'spawn_agent', args: { message: 'look around', agent_type: 'codex' } }],
      [{ text: 'It looks.' }],
      [{ text: 'It has looked.' }],
    ],
    'look around': [[{ text: 'Looking.' }, command(look)], [{ text: 'All seen.' }]],
  });
  const parent = await server.newSession();
  await server.send(parent, 'go');
  const done = await server.until(parent, (state) => answered(state).includes('It has looked.'));
  const [agent] = done.agents;
  expect(agent).toMatchObject({ status: 'completed', nickname: expect.stringMatching(/ \(Codex\)$/) });
  expect(done.items.find(({ type }) => type === 'subAgent')).toMatchObject({
    ...{ prompt: 'look around', agentStatus: 'completed', message: 'All seen.' },
  });
  const child = await server.state(agent?.id ?? '');
  expect([said(child), answered(child)]).toEqual([['look around'], ['Looking.', 'All seen.']]);
  expect(child.items.find(({ type }) => type === 'commandExecution')).toMatchObject({ command: look });
  const output = lastOutput(model.requests.find((request) => /from the workspace/.test(lastOutput(request))));
  expect(output).toMatch(/config\.toml: Permission denied/);
  expect(output).toMatch(/\/usr\/of-codex': Read-only file system/);
  expect([existsSync(join(box.workDir, 'made')), existsSync('/usr/of-codex')]).toEqual([true, false]);
  // and it has answered once
  const more = { id: crypto.randomUUID(), text: 'more', mode: 'steer' };
  await expect(server.api('POST', `api/sessions/${child.id}/inputs`, more)).rejects.toThrow(/409/);
});

test('a reviewer decides in place of people what goes beyond the sandbox, but not what is hidden', async ({
  box,
  serveOnce,
  model,
}) => {
  const server = await serveOnce('permission_mode = "approve-for-me"');
  const outside = join('/var/tmp', `tscodex-${crypto.randomUUID()}`);
  const cmd = `touch ${outside}; cat ${box.codexHome}/config.toml`;
  const escalated = { cmd, sandbox_permissions: 'require_escalated', justification: 'it is wanted' };
  const verdict = { risk_level: 'low', user_authorization: 'high', outcome: 'allow', rationale: 'fine' };
  model.announces = true;
  model.answer(
    [ask],
    [{ call: 'exec_command', args: escalated }],
    [{ text: JSON.stringify(verdict) }],
    [{ text: 'Made.' }],
    [{ text: 'I see.' }],
  );
  const id = await server.newSession();
  await server.api('PATCH', `api/sessions/${id}`, { sandbox: 'workspace-write', approval: 'on-request' });
  try {
    await server.send(id, 'have it done');
    await server.until(id, (state) => answered(state).includes('I see.'));
    expect(JSON.parse(lastOutput(model.requests.at(-1))).status).toEqual({ completed: 'Made.' });
    expect(existsSync(outside)).toBe(true);
    expect(lastOutput(model.requests.at(-2))).toMatch(/config\.toml: Permission denied/);
  } finally {
    await rm(outside, { force: true });
  }
});

test('stopped, it leaves nothing that runs; kill -9 of the server makes it interrupted', async ({
  serveOnce,
  model,
}) => {
  const server = await serveOnce('grace_sec = 0.2');
  const seconds = uniqueSeconds();
  const runs = () => processes(`sleep ${seconds}`).length;
  model.announces = true;
  const begin = (message: string): Step => ({ call: 'spawn_agent', args: { message, agent_type: 'codex' } });
  follow(model, {
    go: [[begin('sleep')], [{ text: 'It sleeps.' }], [{ text: 'It was stopped.' }]],
    sleep: [[command(`sleep ${seconds}`)]],
    'go again': [[begin('work')], [{ text: 'It works.' }], [{ text: 'A restart has cut it.' }]],
    work: [[{ text: 'Working' }, never]],
  });
  const parent = await server.newSession();
  await server.send(parent, 'go');
  const sleeping = await server.until(parent, ({ agents }) => agents.length === 1);
  const sleeper = sleeping.agents[0]?.id ?? '';
  await server.until(sleeper, ({ items }) => items.some(({ type }) => type === 'commandExecution'));
  await expect.poll(runs).toBeGreaterThan(0);
  await server.api('POST', `api/sessions/${sleeper}/interrupt`);
  await server.until(parent, (state) => answered(state).includes('It was stopped.'));
  expect(runs()).toBe(0);

  const other = await server.newSession();
  await server.send(other, 'go again');
  const works = await server.until(other, ({ agents }) => agents.length === 1);
  const agent = works.agents[0]?.id ?? '';
  await server.until(agent, ({ items }) =>
    items.some((item) => item.type === 'agentMessage' && item.text === 'Working'),
  );
  await server.until(other, (state) => answered(state).includes('It works.'));
  await server.idle(other);
  await server.kill('SIGKILL');
  const again = await serveOnce();
  const told = await again.until(other, (state) => answered(state).includes('A restart has cut it.'));
  expect(told.agents).toMatchObject([{ id: agent, status: 'failed' }]);
  const cut = await again.state(agent);
  expect(cut).toMatchObject({ turn: null, status: 'idle', canContinue: false });
  expect(notices(cut).at(-1)?.code).toBe('turn.interrupted');
});
