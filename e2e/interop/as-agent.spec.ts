/** The real Codex as the agent of sessions: its user's program, login and files, this server's page. */
import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { SessionState } from '@tscodex/shared/session-state';
import { answered, notices, said } from '../support/conversation.ts';
import { Gate } from '../support/gate.ts';
import { CODEX, test } from './codex-stage.ts';
import { told } from './stage.ts';

/** Of the answer that streams. */
const says = (text: string) => (state: SessionState) =>
  state.items.some((item) => item.type === 'agentMessage' && item.text === text);

test('a session on Codex: it streams, is steered, and goes on after a restart of this server', async ({
  codex,
  model,
  serveWithCodex,
}) => {
  const server = await serveWithCodex();
  const id = await server.newSession('demo', CODEX);
  const gate = new Gate();
  model.answer(
    [{ text: 'First a command.' }, { call: 'exec_command', args: { cmd: 'echo from-a-command' } }],
    [{ text: 'It is' }, { wait: gate.opened }, { text: ' done.' }],
    [{ text: 'And steered.' }],
  );
  model.announces = true;
  await server.send(id, 'our first message');
  await server.until(id, says('It is'));
  await server.send(id, 'a steer');
  // Codex may take it before anybody has looked
  const waits = ({ waiting }: SessionState) => waiting.some(({ text }) => text === 'a steer');
  await server.until(id, (state) => waits(state) || said(state).includes('a steer'));
  gate.open();
  await server.until(id, (state) => answered(state).includes('And steered.'));
  const done = await server.idle(id);
  expect(said(done)).toEqual(['our first message', 'a steer']);
  const kept = done.items.filter(({ type }) => type !== 'notice');
  expect(kept.map(({ type, status }) => `${type} ${status}`)).toEqual([
    ...['userMessage completed', 'agentMessage completed', 'commandExecution completed'],
    // Codex gives up what it says for a steer
    ...['agentMessage interrupted', 'userMessage completed', 'agentMessage completed'],
  ]);
  expect(done).toMatchObject({ backend: 'codex', title: 'our first message', model: 'scripted' });
  expect(done.usage?.total.inputTokens).toBe(2000);

  // its file is all that is needed: the same items, by the same ids
  expect(await server.kill('SIGTERM')).toBe(0);
  const again = await serveWithCodex();
  const found = await again.state(id);
  expect(found.items.map((item) => item.id)).toEqual(
    kept.filter(({ status }) => status === 'completed').map((item) => item.id),
  );
  expect(found.items[2]).toMatchObject({
    ...{ command: 'echo from-a-command', output: 'from-a-command\n', exitCode: 0 },
  });
  model.answer([{ text: 'Still here.' }]);
  await again.send(id, 'after the restart');
  await again.until(id, (state) => answered(state).includes('Still here.'));
  expect(told(model.requests.at(-1))).toEqual([
    ...['user: our first message', 'assistant: First a command.', 'call of exec_command'],
    ...['output of exec_command: from-a-command', 'user: a steer'],
    ...['assistant: And steered.', 'user: after the restart'],
  ]);
  expect(await again.kill('SIGTERM')).toBe(0);

  // and what is left is an ordinary session of Codex's
  model.answer([{ text: 'By hand.' }]);
  expect(await codex.thread('resume', id, 'by hand')).toBe(id);
});

test('what Codex asks is asked here: once, declined with a reason, and withdrawn with the turn', async ({
  box,
  model,
  serveWithCodex,
}) => {
  const server = await serveWithCodex();
  const id = await server.newSession('demo', CODEX);
  await server.api('PATCH', `api/sessions/${id}`, { approval: 'untrusted' });
  const call = (name: string) => ({ call: 'exec_command', args: { cmd: `touch ${name}` } });
  const asking = async () => (await server.until(id, ({ asks }) => asks.length === 1)).asks[0];
  model.answer([call('one')], [{ text: 'Made.' }]);
  await server.send(id, 'make one');
  const first = await asking();
  expect(first).toMatchObject({ approval: { what: 'command', command: 'touch one', cwd: box.workDir } });
  await server.api('POST', `api/sessions/${id}/asks/${first?.id}`, { choice: 'once' });
  await server.until(id, (state) => answered(state).includes('Made.'));
  const made = await server.idle(id);
  expect(made.items.find(({ type }) => type === 'commandExecution')).toMatchObject({
    ...{ status: 'completed', decision: { choice: 'once' } },
  });

  model.answer([call('two')], [{ text: 'Then not.' }]);
  await server.send(id, 'make two');
  const no = { choice: 'decline', reason: 'one is enough' };
  await server.api('POST', `api/sessions/${id}/asks/${(await asking())?.id}`, no);
  await server.until(id, (state) => answered(state).includes('Then not.'));
  const declined = await server.idle(id);
  expect(declined.items.findLast(({ type }) => type === 'commandExecution')).toMatchObject({
    status: 'declined',
  });
  expect(told(model.requests.at(-1))).toContain('user: one is enough');

  model.answer([call('three')]);
  await server.send(id, 'make three');
  await asking();
  await server.api('POST', `api/sessions/${id}/interrupt`);
  const stopped = await server.idle(id);
  expect(stopped.asks).toEqual([]);
  expect(notices(stopped).at(-1)?.code).toBe('turn.stopped');
});

test('a turn on Codex is stopped; one that Codex is killed in says so, and the next starts it again', async ({
  model,
  serveWithCodex,
}) => {
  const server = await serveWithCodex();
  const id = await server.newSession('demo', CODEX);
  model.announces = true;
  const never = { wait: new Promise(() => undefined) };
  model.answer([{ text: 'This is cut' }, never], [{ text: 'Running' }, never], [{ text: 'Back again.' }]);
  await server.send(id, 'begin');
  await server.until(id, says('This is cut'));
  await server.api('PATCH', `api/sessions/${id}`, { network: true });
  expect(notices(await server.state(id)).at(-1)).toMatchObject({ code: 'session.permissionsNext' });
  await server.api('POST', `api/sessions/${id}/interrupt`);
  const stopped = await server.idle(id);
  expect(stopped.items.at(-1)).toMatchObject({ type: 'notice', code: 'turn.stopped' });

  await server.send(id, 'go on');
  await server.until(id, says('Running'));
  for (const pid of await childrenOf(server.pid)) process.kill(pid, 'SIGKILL');
  const failed = await server.idle(id);
  expect(notices(failed).at(-1)).toMatchObject({ level: 'error', code: 'codex.ended' });
  await server.send(id, 'and now');
  await server.until(id, (state) => answered(state).includes('Back again.'));
});

test('a session on Codex is summed up, forked, and says so when this server went down in its turn', async ({
  model,
  serveWithCodex,
}) => {
  const server = await serveWithCodex();
  const id = await server.newSession('demo', CODEX);
  model.announces = true;
  model.answer([{ text: 'Hello.' }], [{ text: 'All of it in short.' }], [{ text: 'After it.' }]);
  await server.send(id, 'a first message');
  await server.until(id, (state) => answered(state).includes('Hello.'));
  await server.idle(id);
  await server.send(id, '/compact');
  await server.until(id, ({ items }) =>
    items.some(({ type, status }) => type === 'compaction' && status === 'completed'),
  );
  await server.idle(id);
  await server.send(id, 'a second message');
  await server.until(id, (state) => answered(state).includes('After it.'));
  await server.idle(id);
  expect(told(model.requests.at(-1))).toEqual([
    ...['user: a first message', expect.stringContaining('All of it in short.'), 'user: a second message'],
  ]);

  const { session: fork } = await server.api<{ session: SessionState }>(
    'POST',
    `api/sessions/${id}/fork`,
    {},
  );
  expect(fork).toMatchObject({ backend: 'codex', forkedFrom: id });
  model.answer([{ text: 'In the fork.' }]);
  await server.send(fork.id, 'a third message');
  await server.until(fork.id, (state) => answered(state).includes('In the fork.'));
  expect(told(model.requests.at(-1)).slice(-3)).toEqual([
    ...['user: a second message', 'assistant: After it.', 'user: a third message'],
  ]);
  expect(model.requests.at(-1)?.tools.map(({ name }) => name)).toContain('clock');

  model.answer([{ text: 'Under way' }, { wait: new Promise(() => undefined) }]);
  await server.send(id, 'a fourth message');
  await server.until(id, says('Under way'));
  await server.kill('SIGKILL');
  const again = await serveWithCodex();
  // once the Codex that was left has let go of it
  const cut = await again.until(id, ({ canContinue }) => canContinue);
  expect(said(cut).at(-1)).toBe('a fourth message');
  expect(cut).toMatchObject({ heldBy: null, status: 'idle' });
  expect(notices(cut).at(-1)?.code).toBe('turn.interrupted');
  model.answer([{ text: 'Going on.' }]);
  await again.api('POST', `api/sessions/${id}/resume`);
  await again.until(id, (state) => answered(state).includes('Going on.'));
});

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}
