/** Sessions made here: Codex goes on with them and leaves our records in the file, then they go on here. */
import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { answered, said } from '../support/conversation.ts';
import { test, told } from './stage.ts';

const records = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string });
const ours = (text: string) => records(text).filter(({ type }) => type === 'tscodex_item');

test('Codex resumes a session made here, and we resume what Codex has added', async ({
  codex,
  model,
  serve,
}) => {
  const server = await serve();
  const id = await server.newSession();
  const patch = '*** Begin Patch\n*** Add File: hello.txt\n+hello\n*** End Patch';
  model.answer(
    [
      { reasoning: 'Thinking.' },
      { text: 'First a command.' },
      { call: 'exec_command', args: { cmd: 'echo from-a-command' } },
    ],
    [{ custom: 'apply_patch', input: patch }],
    [{ text: 'Both done.' }],
    [{ text: 'This is cut' }, { wait: new Promise(() => undefined) }],
  );
  await server.send(id, 'our first message');
  await server.until(id, (state) => answered(state).includes('Both done.'));
  await server.idle(id);
  await server.send(id, 'our second message');
  await server.until(id, (state) =>
    state.items.some((item) => item.type === 'agentMessage' && item.text === 'This is cut'),
  );
  await server.api('POST', `api/sessions/${id}/interrupt`);
  const left = await server.idle(id);
  expect(await server.kill('SIGTERM')).toBe(0);

  const [path = ''] = await codex.filesOf(id);
  const before = await readFile(path, 'utf8');
  expect(ours(before).length).toBeGreaterThan(4);

  model.answer([{ text: 'Codex was here.' }]);
  const events = await codex.exec('resume', id, 'a message through Codex');
  expect(events[0]).toEqual({ type: 'thread.started', thread_id: id });
  // it counts on from what was used here: three answers, each of 1,000 tokens in
  expect(left.usage?.total.inputTokens).toBe(3000);
  expect(events.at(-1)).toMatchObject({ type: 'turn.completed', usage: { input_tokens: 4000 } });
  const request = model.requests.at(-1);
  expect(told(request)).toEqual([
    ...['user: our first message', 'assistant: First a command.', 'call of exec_command'],
    ...['output of exec_command: from-a-command', 'call of apply_patch'],
    ...['output of apply_patch: A hello.txt', 'assistant: Both done.', 'user: our second message'],
    'user: a message through Codex',
  ]);
  expect(JSON.stringify(request)).not.toContain('commandExecution');

  const after = await readFile(path, 'utf8');
  expect(after.startsWith(before)).toBe(true);
  expect(ours(after)).toEqual(ours(before));

  const again = await serve();
  const found = await again.state(id);
  expect(found.items.slice(0, left.items.length)).toEqual(left.items);
  expect(found.usage?.total.inputTokens).toBe(4000);
  expect(said(found)).toEqual(['our first message', 'our second message', 'a message through Codex']);
  expect(answered(found).at(-1)).toBe('Codex was here.');

  model.answer([{ text: 'And back.' }]);
  await again.send(id, 'a message here again');
  const end = await again.until(id, (state) => answered(state).includes('And back.'));
  expect(said(end)).toHaveLength(4);
  expect(told(model.requests.at(-1)).slice(-3)).toEqual([
    ...['user: a message through Codex', 'assistant: Codex was here.', 'user: a message here again'],
  ]);
});

test('Codex goes on with the summary of a session that was summed up here', async ({
  codex,
  model,
  serve,
}) => {
  const server = await serve();
  const id = await server.newSession();
  const long = 'There is much to say of it. '.repeat(400).trim();
  const call = { call: 'exec_command', args: { cmd: 'echo from-a-command' } };
  model.answer([{ text: long }], [{ text: 'All of it in short.' }], [call], [{ text: 'After it.' }]);
  await server.send(id, 'our first message');
  await server.idle(id);
  await server.send(id, '/compact');
  await server.until(id, (state) =>
    state.items.some((item) => item.type === 'compaction' && item.status === 'completed'),
  );
  await server.idle(id);
  await server.send(id, 'our second message');
  await server.until(id, (state) => answered(state).includes('After it.'));
  expect(await server.kill('SIGTERM')).toBe(0);

  model.answer([{ text: 'Codex was here.' }]);
  const events = await codex.exec('resume', id, 'a message through Codex');
  expect(events.at(-1)).toMatchObject({ type: 'turn.completed' });
  expect(told(model.requests.at(-1))).toEqual([
    ...['user: our first message', expect.stringContaining('All of it in short.')],
    ...['user: our second message', 'call of exec_command', 'output of exec_command: from-a-command'],
    ...['assistant: After it.', 'user: a message through Codex'],
  ]);

  const found = await (await serve()).state(id);
  expect(found.items.filter((item) => item.type === 'compaction')).toHaveLength(1);
  expect(answered(found)).toEqual([long, 'After it.', 'Codex was here.']);
});
