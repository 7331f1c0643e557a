/** The real Codex and who answers it: its models, and what people are told where it is refused or cannot be reached. */
import { expect } from '@playwright/test';
import type { SessionModel } from '@tscodex/shared/workspace';
import { notices } from '../support/conversation.ts';
import { CODEX, configure, KNOWN_MODEL, test } from './codex-stage.ts';

test('the models of Codex are those that one may choose, and the next turn has the chosen one', async ({
  model,
  serveWithCodex,
}) => {
  const server = await serveWithCodex();
  const id = await server.newSession('demo', CODEX);
  const { models } = await server.api<{ models: SessionModel[] }>('GET', `api/sessions/${id}/models`);
  expect(models.map((one) => one.id)).toContain(KNOWN_MODEL);
  await server.send(id, `/model ${KNOWN_MODEL}`);
  await server.until(id, (state) => state.model === KNOWN_MODEL);
  await server.send(id, 'hello');
  await server.until(id, ({ items }) => items.some(({ type }) => type === 'agentMessage'));
  expect(model.requests.at(-1)?.model).toBe(KNOWN_MODEL);
});

test('a login that is not taken is said plainly, with what to run', async ({ model, serveWithCodex }) => {
  const server = await serveWithCodex();
  const id = await server.newSession('demo', CODEX);
  model.answer(...Array.from({ length: 6 }, () => ({ status: 401, body: '{"error":{"message":"no key"}}' })));
  await server.send(id, 'hello');
  const failed = await server.until(id, (state) => notices(state).some(({ level }) => level === 'error'));
  expect(notices(failed).at(-1)).toMatchObject({
    code: 'codex.login',
    text: expect.stringContaining('Run "codex login" where this server runs'),
    details: { httpStatus: 401 },
  });
});

test('a provider that cannot be reached ends the turn, though Codex would try for ever', async ({
  box,
  serveWithCodex,
}) => {
  await configure(box, (config) =>
    config
      .replace(/base_url = ".*"/, 'base_url = "http://127.0.0.1:9/v1"')
      .replace('[tscodex]\n', '[tscodex]\ncodex_reconnect_seconds = 3\n'),
  );
  const server = await serveWithCodex();
  const id = await server.newSession('demo', CODEX);
  await server.send(id, 'hello');
  const failed = await server.until(id, (state) => notices(state).some(({ level }) => level === 'error'));
  expect(notices(failed).at(-1)).toMatchObject({
    code: 'codex.unreachable',
    text: expect.stringContaining('Codex could not reach its provider for 3 seconds: '),
  });
  await server.idle(id);
});
