/** The real Codex as the agent of sessions, one `codex exec` a turn. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { SessionState } from '@tscodex/shared/session-state';
import { answered, notices, said } from '../support/conversation.ts';
import { configure, KNOWN_MODEL, test } from './codex-stage.ts';
import { told } from './stage.ts';

const EXEC = { backend: 'codex-exec' };

const NEVER = { wait: new Promise(() => undefined) };

test('a session on codex exec: it works, has messages wait for the end of a turn, and goes on after a restart', async ({
  serveWithCodex,
  codex,
  model,
}) => {
  const server = await serveWithCodex();
  const id = await server.newSession('demo', EXEC);
  model.answer(
    [{ text: 'First a command.' }, { call: 'exec_command', args: { cmd: 'sleep 1; echo from-a-command' } }],
    [{ text: 'It is done.' }],
    [{ text: 'And the second.' }],
  );
  await server.send(id, 'our first message');
  await server.until(id, ({ items }) => items.some(({ type }) => type === 'commandExecution'));
  await server.send(id, 'a second one meanwhile');
  await server.until(id, (state) => answered(state).includes('And the second.'));
  const done = await server.idle(id);
  expect(said(done)).toEqual(['our first message', 'a second one meanwhile']);
  expect(happened(done)).toEqual([
    ...['userMessage completed', 'agentMessage completed', 'commandExecution completed'],
    ...['agentMessage completed', 'userMessage completed', 'agentMessage completed'],
  ]);
  expect(commandOf(done)).toMatchObject({
    ...{ command: 'sleep 1; echo from-a-command', output: 'from-a-command\n', exitCode: 0 },
  });
  expect(done).toMatchObject({ backend: 'codex-exec', title: 'our first message', model: 'scripted' });
  expect(done.usage?.total.inputTokens).toBe(3000);
  expect(done.usage?.last.inputTokens).toBe(1000);

  // its file is all that is needed
  expect(await server.kill('SIGTERM')).toBe(0);
  const again = await serveWithCodex();
  const found = await again.state(id);
  expect(said(found)).toEqual(said(done));
  expect(answered(found)).toEqual(answered(done));
  expect(commandOf(found)).toMatchObject({ output: 'from-a-command\n', exitCode: 0 });
  expect(found.usage?.total.inputTokens).toBe(3000);
  model.answer([{ text: 'Still here.' }]);
  await again.send(id, 'after the restart');
  await again.until(id, (state) => answered(state).includes('Still here.'));
  expect(told(model.requests.at(-1))).toEqual([
    ...['user: our first message', 'assistant: First a command.', 'call of exec_command'],
    ...['output of exec_command: from-a-command', 'assistant: It is done.'],
    ...['user: a second one meanwhile', 'assistant: And the second.', 'user: after the restart'],
  ]);
  expect((await again.idle(id)).usage?.total.inputTokens).toBe(4000);
  expect(await again.kill('SIGTERM')).toBe(0);

  // and what is left is an ordinary session of Codex's
  model.answer([{ text: 'By hand.' }]);
  expect(await codex.thread('resume', id, 'by hand')).toBe(id);
});

test('a turn on codex exec is stopped with what it has started, and the next one goes on', async ({
  serveWithCodex,
  model,
}) => {
  const server = await serveWithCodex();
  const id = await server.newSession('demo', EXEC);
  model.answer([{ call: 'exec_command', args: { cmd: 'sleep 314.15' } }], [{ text: 'Back again.' }]);
  await server.send(id, 'begin');
  await server.until(id, ({ items }) => items.some(({ type }) => type === 'commandExecution'));
  await expect.poll(() => sleeping('314.15')).toBe(true);
  await server.api('POST', `api/sessions/${id}/interrupt`);
  const stopped = await server.idle(id);
  expect(happened(stopped)).toEqual([
    ...['userMessage completed', 'commandExecution interrupted', 'notice completed'],
  ]);
  expect(notices(stopped).at(-1)?.code).toBe('turn.stopped');
  expect(await sleeping('314.15')).toBe(false);
  await server.send(id, 'and now');
  await server.until(id, (state) => answered(state).includes('Back again.'));
});

test('one that is killed says so and goes on; a message is neither lost nor told twice when the server goes down', async ({
  serveWithCodex,
  model,
}) => {
  const server = await serveWithCodex();
  const id = await server.newSession('demo', EXEC);
  model.answer(
    [{ text: 'cut' }, NEVER],
    [{ text: 'Here.' }],
    [{ text: 'cut' }, NEVER],
    [{ text: 'Going on.' }],
  );
  await server.send(id, 'first');
  await server.until(id, (state) => said(state).length === 1);
  await expect.poll(() => model.requests.length).toBe(1);
  for (const pid of await childrenOf(server.pid)) process.kill(pid, 'SIGKILL');
  const failed = await server.idle(id);
  expect(notices(failed).at(-1)).toMatchObject({ level: 'error', code: 'codex.exit' });
  expect(notices(failed).at(-1)?.text).toContain('SIGKILL');
  await server.send(id, 'second');
  await server.until(id, (state) => answered(state).includes('Here.'));
  await server.idle(id);

  await server.send(id, 'third');
  await expect.poll(() => model.requests.length).toBe(3);
  await server.kill('SIGKILL');
  const again = await serveWithCodex();
  // once the Codex that was left has let go of it
  const cut = await again.until(id, ({ canContinue, heldBy }) => canContinue && heldBy === null);
  expect(said(cut)).toEqual(['first', 'second', 'third']);
  expect(cut.waiting).toEqual([]);
  expect(notices(cut).at(-1)?.code).toBe('turn.interrupted');
  await again.api('POST', `api/sessions/${id}/resume`);
  await again.until(id, (state) => answered(state).includes('Going on.'));
  expect(told(model.requests.at(-1)).filter((line) => line === 'user: third')).toHaveLength(1);
});

test('what fails says why and what to do: a refused login, a provider that is not there, no Codex at all', async ({
  serveWithCodex,
  box,
  model,
}) => {
  const server = await serveWithCodex();
  const id = await server.newSession('demo', EXEC);
  for (let request = 0; request < 3; request++) model.answer({ status: 401, body: '{}' });
  await server.send(id, 'who am I?');
  const refused = await server.idle(id);
  expect(notices(refused).at(-1)).toMatchObject({ level: 'error', code: 'codex.login' });
  expect(notices(refused).at(-1)?.text).toContain('codex login');
  expect(await server.kill('SIGTERM')).toBe(0);

  await configure(box, (config) =>
    config
      .replace(/base_url = "[^"]*"/, 'base_url = "http://127.0.0.1:9/v1"')
      .replace('[tscodex]\n', '[tscodex]\ncodex_reconnect_seconds = 1\n'),
  );
  const alone = await serveWithCodex();
  await alone.send(id, 'is anybody there?');
  const unreachable = await alone.idle(id);
  expect(notices(unreachable).at(-1)).toMatchObject({ level: 'error', code: 'codex.unreachable' });
  expect(await alone.kill('SIGTERM')).toBe(0);

  await configure(box, (config) => config.replace(/codex_bin = .*/, 'codex_bin = "/nowhere/codex"'));
  const without = await serveWithCodex();
  await without.send(id, 'hello?');
  const missing = await without.until(id, ({ status }) => status === 'paused');
  expect(notices(missing).some(({ code }) => code === 'codex.missing')).toBe(true);
  expect(missing.waiting.map(({ text }) => text)).toEqual(['hello?']);
  const list = await without.api<{ backends: { id: string; problem?: object }[] }>(
    ...['GET', 'api/workspaces/demo/sessions'],
  );
  expect(list.backends.map(({ id, problem }) => [id, problem !== undefined])).toEqual([
    ['native', false],
    ['codex', true],
    ['codex-exec', true],
  ]);
});

test('a patch is shown with what it changes; a fork goes on by itself; a workspace has its own agent', async ({
  serveWithCodex,
  box,
  model,
}) => {
  await configure(box, (config) => config.replace('model = "scripted"', `model = "${KNOWN_MODEL}"`));
  const workspaces = [{ id: 'demo', work_dir: 'work', board: 'work/board.html', backend: 'codex-exec' }];
  await writeFile(box.configPath, JSON.stringify({ workspaces }));
  const server = await serveWithCodex();
  const list = await server.api<{ backends: { id: string; version?: string }[] }>(
    ...['GET', 'api/workspaces/demo/sessions'],
  );
  expect(list.backends[0]?.id).toBe('codex-exec');
  const id = await server.newSession('demo', {});
  const patch = '*** Begin Patch\n*** Add File: notes.txt\n+one\n+two\n*** End Patch\n';
  model.answer([{ custom: 'apply_patch', input: patch }], [{ text: 'Written.' }]);
  await server.send(id, 'write notes');
  await server.until(id, (state) => answered(state).includes('Written.'));
  const done = await server.idle(id);
  expect(done.items.find(({ type }) => type === 'fileChange')).toMatchObject({
    status: 'completed',
    changes: [{ path: join(box.workDir, 'notes.txt'), kind: 'add', diff: '@@ -0,0 +1,2 @@\n+one\n+two' }],
  });
  expect(await readFile(join(box.workDir, 'notes.txt'), 'utf8')).toBe('one\ntwo\n');

  const { session: fork } = await server.api<{ session: SessionState }>(
    'POST',
    `api/sessions/${id}/fork`,
    {},
  );
  expect(fork).toMatchObject({ backend: 'codex-exec', forkedFrom: id });
  model.answer([{ text: 'In the fork.' }]);
  await server.send(fork.id, 'and in the fork');
  await server.until(fork.id, (state) => answered(state).includes('In the fork.'));
  expect(told(model.requests.at(-1)).at(0)).toBe('user: write notes');
  expect(said(await server.state(id))).toEqual(['write notes']);

  await server.send(id, '/compact');
  const refused = await server.until(id, (state) =>
    notices(state).some(({ code }) => code === 'backend.compact'),
  );
  expect(refused.turn).toBeNull();
});

/** But for what Codex warns of: it does not know the model of these tests. */
function happened({ items }: SessionState): string[] {
  return items.flatMap((item) =>
    item.type === 'notice' && item.code === 'codex.warning' ? [] : [`${item.type} ${item.status}`],
  );
}

function commandOf({ items }: SessionState) {
  return items.find(({ type }) => type === 'commandExecution');
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

/** Whether a `sleep` of so long runs on this machine. */
async function sleeping(seconds: string): Promise<boolean> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')), // it has just ended
  );
  return lines.some((line) => line === `sleep\0${seconds}\0`);
}
