/** Sessions that were archived or deleted here and brought back: Codex knows them where they lie each time. */
import { dirname, join } from 'node:path';
import { expect } from '@playwright/test';
import { catalogued } from '../support/all-sessions.ts';
import { answered } from '../support/conversation.ts';
import type { CodexApp } from './codex.ts';
import { test, told } from './stage.ts';

async function begun(app: CodexApp): Promise<string> {
  const id = await app.thread('thread/start', {});
  await app.turn(id, 'a first message');
  return id;
}

for (const origin of ['tscodex', 'codex'] as const)
  test(`a session made by ${origin} is archived here and restored, deleted and undone, and Codex goes on`, async ({
    box,
    codex,
    model,
    serve,
  }) => {
    model.answer([{ text: 'Hello.' }]);
    const made = origin === 'codex' ? await codex.withApp(begun) : null;
    const server = await serve();
    const id = made ?? (await server.newSession());
    if (!made) {
      await server.send(id, 'a first message');
      await server.until(id, (state) => answered(state).includes('Hello.'));
      await server.idle(id);
    }
    await catalogued(server, 1);
    const [path = ''] = await codex.filesOf(id);
    const listed = async (archived: boolean) =>
      codex.withApp(async (app) => {
        const { data } = await app.call('thread/list', { archived });
        return (data as { id: string; path: string }[]).map((thread) => [thread.id, dirname(thread.path)]);
      });

    await server.api('PATCH', `api/catalog/${id}`, { archived: true });
    expect(await listed(true)).toEqual([[id, join(box.codexHome, 'archived_sessions')]]);
    expect(await listed(false)).toEqual([]);
    await server.api('PATCH', `api/catalog/${id}`, { archived: false });
    expect(await listed(true)).toEqual([]);
    expect(await listed(false)).toEqual([[id, dirname(path)]]);
    await server.api('DELETE', `api/catalog/${id}`);
    expect(await listed(false)).toEqual([]);
    await server.api('POST', `api/catalog/${id}/restore`);

    model.answer([{ text: 'Codex was here.' }]);
    expect(await codex.thread('resume', id, 'on with it')).toBe(id);
    expect(told(model.requests.at(-1))).toEqual([
      ...['user: a first message', 'assistant: Hello.', 'user: on with it'],
    ]);
    await server.api('POST', 'api/workspaces/demo/sessions', { resume: id });
    expect(answered(await server.state(id))).toEqual(['Hello.', 'Codex was here.']);
  });
