/** What sessions are called: given here or in Codex, it is what both call them. */
import { expect } from '@playwright/test';
import type { CodexApp } from './codex.ts';
import { test } from './stage.ts';

/** What Codex calls the sessions of its list, those that people have begun or others. */
async function names(app: CodexApp, sourceKinds?: string[]): Promise<Record<string, unknown>> {
  const { data } = await app.call('thread/list', { limit: 20, ...(sourceKinds && { sourceKinds }) });
  return Object.fromEntries((data as { id: string; name: string }[]).map(({ id, name }) => [id, name]));
}

test('a session made here has its title in the list of Codex, and goes on from there', async ({
  codex,
  model,
  serve,
}) => {
  model.answer([{ text: 'For its database.' }], [{ text: 'Here.' }], [{ text: 'And there.' }]);
  // a Codex that has been used has a database of its own, which names the provider of each session
  await codex.exec('something else before');
  const server = await serve();
  const named = await server.newSession();
  await server.send(named, 'the first words');
  await server.idle(named);
  await server.api('PATCH', `api/sessions/${named}`, { title: '中文 "title"' });
  const unnamed = await server.newSession();
  expect(await server.kill('SIGTERM')).toBe(0);

  await codex.withApp(async (app) => {
    expect(await names(app)).toEqual({ [named]: '中文 "title"' });
    expect(await app.thread('thread/resume', { threadId: named })).toBe(named);
    await app.turn(named, 'and from the list of Codex');
    await app.call('thread/name/set', { threadId: named, name: 'Called so by Codex' });
    expect(await names(app)).toEqual({ [named]: 'Called so by Codex' });
  });
  const again = await serve();
  const title = async (id: string) => (await again.state(id)).title;
  await expect.poll(() => title(named)).toBe('Called so by Codex');
  expect(await title(unnamed)).toBe(null);
});

test('a session that Codex names while it is open here is called so at once', async ({
  codex,
  model,
  serve,
}) => {
  model.answer([{ text: 'One.' }]);
  const id = await codex.thread('made by Codex');
  const [file = ''] = await codex.filesOf(id);
  const server = await serve(file);
  await codex.withApp((app) => app.call('thread/name/set', { threadId: id, name: 'A better name' }));
  await expect.poll(async () => (await server.state(id)).title).toBe('A better name');
  await server.api('PATCH', `api/sessions/${id}`, { title: 'The best name' });
  expect(await server.kill('SIGTERM')).toBe(0);
  const listed = await codex.withApp((app) => names(app, ['exec']));
  expect(listed).toEqual({ [id]: 'The best name' });
  model.answer([{ text: 'Found by its name.' }]);
  expect(await codex.thread('resume', 'The best name', 'go on')).toBe(id);
});
