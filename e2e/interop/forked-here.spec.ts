/** Forks made here: Codex resumes them as any, and they go on here, while their source stays as it was. */
import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { SessionState } from '@tscodex/shared/session-state';
import { answered, said } from '../support/conversation.ts';
import { test, told } from './stage.ts';

test('Codex goes on with a fork of a session made here, of all of it and of what was before a message', async ({
  codex,
  model,
  serve,
}) => {
  const server = await serve();
  const id = await server.newSession();
  const long = 'There is much to say of it. '.repeat(400).trim();
  const call = { call: 'exec_command', args: { cmd: 'echo from-a-command' } };
  model.answer([call], [{ text: long }], [{ text: 'All of it in short.' }], [{ text: 'After it.' }]);
  await server.send(id, 'our first message');
  await server.idle(id);
  await server.send(id, '/compact');
  await server.until(id, (state) =>
    state.items.some((item) => item.type === 'compaction' && item.status === 'completed'),
  );
  await server.idle(id);
  await server.send(id, 'our second message');
  const source = await server.until(id, (state) => answered(state).includes('After it.'));
  await server.idle(id);
  const fork = async (before?: string) =>
    (await server.api<{ session: SessionState }>('POST', `api/sessions/${id}/fork`, { before })).session;
  const whole = await fork();
  const second = source.items.find(
    (item) => item.type === 'userMessage' && item.text === 'our second message',
  );
  const summed = await fork(second?.id);
  expect([whole.forkedFrom, said(whole)]).toEqual([id, said(source)]);
  expect(said(summed)).not.toContain('our second message');
  expect(await server.kill('SIGTERM')).toBe(0);

  const summary = ['user: our first message', expect.stringContaining('All of it in short.')];
  model.answer([{ text: 'Codex was here.' }], [{ text: 'Here as well.' }]);
  await codex.exec('resume', whole.id, 'on in the fork');
  expect(told(model.requests.at(-1))).toEqual([
    ...summary,
    ...['user: our second message', 'assistant: After it.', 'user: on in the fork'],
  ]);
  await codex.exec('resume', summed.id, 'in other words');
  expect(told(model.requests.at(-1))).toEqual([...summary, 'user: in other words']);

  const again = await serve();
  expect(answered(await again.state(whole.id)).at(-1)).toBe('Codex was here.');
  expect(answered(await again.state(summed.id)).at(-1)).toBe('Here as well.');
  expect(answered(await again.state(id)).at(-1)).toBe('After it.');
});

test('a fork made here of a thread that Codex has written goes on here, and then in Codex', async ({
  codex,
  model,
  serve,
}) => {
  // in Codex's own form, and with its beginning in the file of yet another thread
  const call = { call: 'exec_command', args: { cmd: 'echo from-a-command' } };
  model.answer([{ text: 'First a command.' }, call], [{ text: 'It is listed.' }], [{ text: 'In its fork.' }]);
  const first = await codex.thread('list it');
  const source = await codex.thread('fork', first, 'and in a fork?');
  const files = [await codex.filesOf(first), await codex.filesOf(source)].flat();
  const written = () => Promise.all(files.map((path) => readFile(path, 'utf8')));
  const before = await written();
  expect(before[1]).toContain('"history_base"');

  const server = await serve(files[1] ?? '');
  const found = await server.state(source);
  const asked = found.items.find((item) => item.type === 'userMessage' && item.text === 'and in a fork?');
  const fork = async (until?: string) =>
    (await server.api<{ session: SessionState }>('POST', `api/sessions/${source}/fork`, { before: until }))
      .session.id;
  const [whole, earlier] = [await fork(), await fork(asked?.id)];
  model.answer([{ text: 'Here.' }], [{ text: 'Here, in other words.' }]);
  await server.send(whole, 'a message here');
  await server.until(whole, (state) => answered(state).includes('Here.'));
  await server.send(earlier, 'other words');
  await server.until(earlier, (state) => answered(state).includes('Here, in other words.'));
  for (const id of [whole, earlier]) await server.idle(id);
  expect(await server.kill('SIGTERM')).toBe(0);

  const begun = [
    ...['user: list it', 'assistant: First a command.', 'call of exec_command'],
    ...['output of exec_command: from-a-command', 'assistant: It is listed.'],
  ];
  const conversations = {
    [whole]: [
      ...begun,
      ...['user: and in a fork?', 'assistant: In its fork.', 'user: a message here', 'assistant: Here.'],
    ],
    [earlier]: [...begun, 'user: other words', 'assistant: Here, in other words.'],
  };
  for (const [id, history] of Object.entries(conversations)) {
    model.answer([{ text: 'Codex was here.' }]);
    expect(await codex.thread('resume', id, 'on in the fork')).toBe(id);
    expect(told(model.requests.at(-1))).toEqual([...history, 'user: on in the fork']);
  }
  expect(await written()).toEqual(before);

  const again = await serve();
  for (const id of [whole, earlier]) expect(answered(await again.state(id)).at(-1)).toBe('Codex was here.');
});
