/** This server and Codex at once over one session: one of them writes. */
import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { answered, said } from '../support/conversation.ts';
import { Gate } from '../support/gate.ts';
import { test } from './stage.ts';

test('while Codex works on a session it is read here as it grows, and can be gone on with after', async ({
  codex,
  model,
  serve,
}) => {
  model.answer([{ text: 'Hello.' }]);
  const id = await codex.thread('a first message');
  const [path = ''] = await codex.filesOf(id);
  const server = await serve(path);
  const gate = new Gate();
  model.answer([{ wait: gate.opened }, { text: 'Now I am done.' }]);
  const running = codex.exec('resume', id, 'a second message');
  await model.asked(2);

  const held = await server.until(id, (state) => said(state).includes('a second message'));
  expect(held).toMatchObject({ heldBy: { program: 'codex' }, status: 'running' });
  const body = { id: randomUUID(), text: 'and a third' };
  const refused = await server.request('POST', `api/sessions/${id}/inputs`, body);
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({
    error: { code: 'session.locked', details: { program: 'codex' } },
  });

  gate.open();
  expect((await running).at(-1)).toMatchObject({ type: 'turn.completed' });
  const free = await server.until(id, ({ heldBy }) => heldBy === null);
  expect(answered(free)).toEqual(['Hello.', 'Now I am done.']);
  model.answer([{ text: 'Third.' }]);
  await server.send(id, 'and a third');
  await server.until(id, (state) => answered(state).includes('Third.'));
});

test('while a session is open here Codex says that somebody writes it', async ({ codex, model, serve }) => {
  const server = await serve();
  const id = await server.newSession();
  model.answer([{ text: 'Hello.' }]);
  await server.send(id, 'a first message');
  await server.until(id, (state) => answered(state).includes('Hello.'));

  await expect(codex.exec('resume', id, 'a second message')).rejects.toThrow(/already has an active writer/);
  expect(model.requests).toHaveLength(1);
  expect(said(await server.idle(id))).toEqual(['a first message']);

  // closed here, it is Codex's
  await server.api('DELETE', `api/sessions/${id}`);
  model.answer([{ text: 'From Codex.' }]);
  expect(await codex.thread('resume', id, 'a second message')).toBe(id);
});
