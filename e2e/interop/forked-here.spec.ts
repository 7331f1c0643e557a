/** Forks made here: Codex resumes them as any, and they go on here, while their source stays as it was. */
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
