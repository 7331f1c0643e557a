/** What an agent here and the agents that it has started leave behind: Codex goes on with each as with any thread. */
import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { answered, notices, said } from '../support/conversation.ts';
import { follow, spawn } from '../support/scripts.ts';
import { test, told } from './stage.ts';

test('Codex resumes an agent that one here has started, and that one itself', async ({
  codex,
  model,
  serve,
}) => {
  follow(model, {
    go: [[spawn('dig')], [{ text: 'It digs.' }], [{ text: 'It is dug.' }]],
    dig: [[{ call: 'exec_command', args: { cmd: 'echo from-a-command' } }], [{ text: 'Dug.' }]],
  });
  const server = await serve();
  const parent = await server.newSession();
  await server.send(parent, 'go');
  const ended = await server.until(parent, (state) => answered(state).includes('It is dug.'));
  await server.idle(parent);
  const child = ended.agents[0]?.id ?? '';
  expect(await server.kill('SIGTERM')).toBe(0);

  const [path = ''] = await codex.filesOf(child);
  const before = await readFile(path, 'utf8');
  expect(JSON.parse(before.slice(0, before.indexOf('\n'))).payload).toMatchObject({
    id: child,
    source: { subagent: { thread_spawn: { parent_thread_id: parent, depth: 1 } } },
  });

  model.reset();
  model.answer([{ text: 'Codex was here.' }], [{ text: 'Here as well.' }]);
  expect(await codex.thread('resume', child, 'on with it')).toBe(child);
  expect(told(model.requests.at(-1))).toEqual([
    ...['user: dig', 'call of exec_command', 'output of exec_command: from-a-command', 'assistant: Dug.'],
    'user: on with it',
  ]);
  expect((await readFile(path, 'utf8')).startsWith(before)).toBe(true);
  expect(await codex.thread('resume', parent, 'what came of it?')).toBe(parent);
  expect(told(model.requests.at(-1))).toEqual([
    ...['user: go', 'call of spawn_agent', expect.stringContaining(child), 'assistant: It digs.'],
    ...[expect.stringMatching(/^user: [\s\S]*Dug\./), 'assistant: It is dug.', 'user: what came of it?'],
  ]);

  // its apps list what people have begun, and know whose the other one is
  await codex.withApp(async (app) => {
    const { data } = await app.call('thread/list', {});
    expect((data as { id: string }[]).map(({ id }) => id)).toEqual([parent]);
    const { thread } = await app.call('thread/read', { threadId: child });
    expect(thread).toMatchObject({ source: { subAgent: { thread_spawn: { parent_thread_id: parent } } } });
  });

  const again = await serve();
  const found = await again.state(child);
  expect([said(found), answered(found)]).toEqual([
    ['dig', 'on with it'],
    ['Dug.', 'Codex was here.'],
  ]);
  const above = await again.idle(parent);
  expect(answered(above).at(-1)).toBe('Here as well.');
  expect(notices(above).filter(({ code }) => code.startsWith('wake.agent'))).toHaveLength(1);
});
