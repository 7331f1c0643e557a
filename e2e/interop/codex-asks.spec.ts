/** What the real Codex asks while it works: people decide it here, and Codex does as they have said. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { SessionState } from '@tscodex/shared/session-state';
import { answered, notices } from '../support/conversation.ts';
import { answer, asking, askingSession, CODEX, configure, KNOWN_MODEL, test } from './codex-stage.ts';
import { told } from './stage.ts';

const patch = (...lines: string[]) => ({
  custom: 'apply_patch',
  input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
});

test('a patch is shown before it is made: once, for the session, and not at all', async ({
  box,
  model,
  serveWithCodex,
}) => {
  await configure(box, (config) => config.replace('"scripted"', JSON.stringify(KNOWN_MODEL)));
  const server = await serveWithCodex();
  const id = await askingSession(server);
  const text = () => readFile(join(box.workDir, 'notes.txt'), 'utf8');
  const change = (from: string, to: string) =>
    patch('*** Update File: notes.txt', '@@', `-${from}`, `+${to}`);

  model.answer([patch('*** Add File: notes.txt', '+one')], [{ text: 'Added.' }]);
  await server.send(id, 'add it');
  const first = await asking(server, id);
  const path = join(box.workDir, 'notes.txt');
  expect(first).toMatchObject({
    approval: { what: 'patch', changes: [{ path, kind: 'add', diff: '@@ -0,0 +1,1 @@\n+one' }] },
    choices: [{ id: 'once' }, { id: 'session' }, { id: 'decline' }, { id: 'stop' }],
  });
  await answer(server, id, first, { choice: 'once' });
  await server.until(id, (state) => answered(state).includes('Added.'));
  expect(await text()).toBe('one\n');
  await server.idle(id);

  model.answer([change('one', 'two')], [change('two', 'three')], [{ text: 'Changed twice.' }]);
  await server.send(id, 'change it twice');
  await answer(server, id, await asking(server, id), { choice: 'session' });
  // the second does not ask
  const changed = await server.until(id, (state) => answered(state).includes('Changed twice.'));
  expect(await text()).toBe('three\n');
  expect(changed.items.findLast(({ type }) => type === 'fileChange')).toMatchObject({
    ...{ status: 'completed', changes: [{ kind: 'update', diff: expect.stringContaining('+three') }] },
  });
  await server.idle(id);

  model.answer([patch('*** Add File: other.txt', '+no')], [{ text: 'Then not.' }]);
  await server.send(id, 'add another');
  await answer(server, id, await asking(server, id), { choice: 'decline', reason: 'one is enough' });
  const declined = await server.until(id, (state) => answered(state).includes('Then not.'));
  expect(declined.items.findLast(({ type }) => type === 'fileChange')).toMatchObject({ status: 'declined' });
  await expect(readFile(join(box.workDir, 'other.txt'))).rejects.toThrow('ENOENT');
  expect(told(model.requests.at(-1))).toContain('user: one is enough');
});

test('a command that is always allowed is asked about once', async ({ box, model, serveWithCodex }) => {
  const server = await serveWithCodex();
  const id = await askingSession(server);
  const make = (name: string) => ({ call: 'exec_command', args: { cmd: `mkdir -p ${name}` } });
  model.answer([make('one')], [make('one two')], [{ text: 'Both.' }]);
  await server.send(id, 'make directories');
  const ask = await asking(server, id);
  expect(ask).toMatchObject({ approval: { command: 'mkdir -p one', rule: ['mkdir', '-p', 'one'] } });
  await answer(server, id, ask, { choice: 'rule' });
  const done = await server.until(id, (state) => answered(state).includes('Both.'));
  const commands = done.items.filter(({ type }) => type === 'commandExecution');
  expect(commands.map(({ status }) => status)).toEqual(['completed', 'completed']);
  const rules = await readFile(join(box.codexHome, 'rules/default.rules'), 'utf8');
  expect(rules.match(/"mkdir"/g)).toHaveLength(1);
});

test('a command that is stopped while it asks has not run, also after a restart', async ({
  model,
  serveWithCodex,
}) => {
  const server = await serveWithCodex();
  const id = await askingSession(server);
  model.answer([{ call: 'exec_command', args: { cmd: 'mkdir -p one' } }], [{ text: 'no more' }]);
  await server.send(id, 'make it');
  await asking(server, id);
  await server.api('POST', `api/sessions/${id}/interrupt`);
  const command = { command: 'mkdir -p one', status: 'interrupted', decision: { outcome: 'withdrawn' } };
  const commandOf = ({ items }: SessionState) => items.find(({ type }) => type === 'commandExecution');
  expect(commandOf(await server.idle(id))).toMatchObject(command);
  expect(await server.kill('SIGTERM')).toBe(0);
  const again = await serveWithCodex();
  expect(commandOf(await again.idle(id))).toMatchObject(command);
});

test('an ask that a restart has ended is named, and what it was about has not run', async ({
  model,
  serveWithCodex,
}) => {
  const server = await serveWithCodex();
  const id = await askingSession(server);
  model.answer([{ call: 'exec_command', args: { cmd: 'mkdir -p one' } }], [{ text: 'no more' }]);
  await server.send(id, 'make it');
  await asking(server, id);
  expect(await server.kill('SIGTERM')).toBe(0);
  const again = await serveWithCodex();
  const state = await again.idle(id);
  expect(state.asks).toEqual([]);
  expect(notices(state).at(-1)).toMatchObject({
    ...{ code: 'turn.interrupted', details: { asked: 'mkdir -p one' } },
    text: expect.stringMatching(/nobody can answer that any more: mkdir -p one$/),
  });
  expect(state.items.find(({ type }) => type === 'commandExecution')).toMatchObject({
    ...{ command: 'mkdir -p one', decision: { outcome: 'withdrawn' } },
  });
});

test('a question of the agent is answered here, in its own words or by an option', async ({
  model,
  serveWithCodex,
}) => {
  const server = await serveWithCodex();
  const id = await server.newSession('demo', CODEX);
  const options = [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cool' },
  ];
  const questions = [{ id: 'colour', header: 'Colour', question: 'Which colour?', options }];
  model.answer([{ call: 'request_user_input', args: { questions } }], [{ text: 'Blue it is.' }]);
  await server.send(id, 'ask me');
  const ask = await asking(server, id);
  expect(ask).toMatchObject({
    kind: 'question',
    questions: [{ ...questions[0], allowOther: true }],
  });
  await answer(server, id, ask, { answers: { colour: ['Blue'] } });
  const done = await server.until(id, (state) => answered(state).includes('Blue it is.'));
  expect(done.items.find(({ type }) => type === 'toolCall')).toMatchObject({
    ...{ status: 'completed', name: 'request_user_input', output: expect.stringContaining('"Blue"') },
  });
  // what makes Codex ask is no news to anybody
  expect(notices(done).filter(({ text }) => text.includes('features'))).toEqual([]);
  expect(told(model.requests.at(-1)).at(-1)).toContain('{"answers":{"colour":{"answers":["Blue"]}}}');
});

test('what Codex wants beyond its sandbox is given as it was shown', async ({
  box,
  model,
  serveWithCodex,
}) => {
  await configure(box, (config) => `${config}\n[features]\nrequest_permissions_tool = true\n`);
  const server = await serveWithCodex();
  const id = await server.newSession('demo', CODEX);
  await server.api('PATCH', `api/sessions/${id}`, { approval: 'on-request', sandbox: 'workspace-write' });
  const write = [join(box.dir, 'elsewhere')];
  const wanted = { reason: 'It belongs there.', permissions: { file_system: { write } } };
  model.answer([{ call: 'request_permissions', args: wanted }], [{ text: 'Thanks.' }]);
  await server.send(id, 'ask for it');
  const ask = await asking(server, id);
  expect(ask).toMatchObject({
    approval: { what: 'permissions', grants: { write }, reason: 'It belongs there.' },
  });
  await answer(server, id, ask, { choice: 'once' });
  await server.until(id, (state) => answered(state).includes('Thanks.'));
  expect(told(model.requests.at(-1)).at(-1)).toContain(write[0]);
});
