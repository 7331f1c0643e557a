/** What `/resume` lists and opens. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Notice } from '@tscodex/shared/items';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScriptedModel } from '../model/scripted-model.ts';
import { message, openTestBox, type TestBox, Watcher } from '../runtime/test-session.ts';
import { sessionId, writeSession } from '../session/catalog/session-files.test-support.ts';
import { openListPlace } from './list-place.test-support.ts';
import { WorkspaceManager } from './manager.ts';
import { serverServices } from './server-services.test-support.ts';
import type { ServerServices } from './session-services.ts';

let box: TestBox;
let services: ServerServices;
let manager: WorkspaceManager;
let type: (text: string) => Promise<Notice>;
beforeEach(async () => {
  box = await openTestBox();
  services = serverServices(box, new ScriptedModel());
  await mkdir(join(box.dir, 'beside'));
  const workspaces = [
    { id: 'w', work_dir: 'work' },
    { id: 'beside', work_dir: 'beside' },
  ];
  manager = new WorkspaceManager(await openListPlace(box, { workspaces }), services);
  const session = await manager.createSession('w', {});
  const watcher = new Watcher(session as never);
  type = async (text) => {
    const known = new Set(watcher.state?.items.map(({ id }) => id));
    await session.submit(message(text), 'Ada');
    const isNew = (item: { id: string; type: string }) => item.type === 'notice' && !known.has(item.id);
    return (await watcher.until(({ items }) => items.some(isNew))).items.find(isNew) as Notice;
  };
});
afterEach(async () => {
  await manager.close();
  expect(box.faults).toEqual([]);
  await box.remove();
});

async function written(n: number, said: string, cwd = box.workDir): Promise<void> {
  const { codexHome } = box.config;
  await services.catalog.moved([writeSession({ codexHome }, n, [said, 'answer'], { meta: { cwd } })]);
}

test('the newest sessions are listed, those of the workspace first, and a number opens what it meant', async () => {
  expect((await type('/resume')).text).toBe('There are no other sessions yet.');
  await written(1, 'Fix the build');
  await written(2, '部署到生产环境', join(box.dir, 'beside'));
  const listed = await type('/resume');
  expect(listed).toMatchObject({ level: 'info', code: 'command.resume' });
  expect(listed.text.split('\n')).toEqual([
    expect.stringMatching(/^ 1 {2}Fix the build {2}\S+\/work {2}\d+[mhd]$/),
    expect.stringMatching(/^ 2 {2}部署到生产环境 {2}\S+\/beside {2}\d+[mhd]$/),
    '/resume N, ID or TITLE opens one.',
  ]);
  await written(3, 'Newer than both');
  const opened = await type('/resume 1');
  const details = { sessionId: sessionId(1), workspaceId: 'w', title: 'Fix the build' };
  expect(opened).toMatchObject({ text: '“Fix the build” is open.', details });
  expect(manager.sessions('w').map(({ id }) => id)).toContain(sessionId(1));
});

test('a title or an id opens a session in its own workspace, and what several are called opens none', async () => {
  await written(1, 'Fix the build');
  await written(2, 'Fix the tests', join(box.dir, 'beside'));
  await written(3, 'Fix');
  const details = { sessionId: sessionId(2), workspaceId: 'beside' };
  expect(await type('/resume the tests')).toMatchObject({ code: 'command.resume', details });
  expect(manager.sessions('beside')).toHaveLength(1);
  expect(await type(`/resume ${sessionId(1)}`)).toMatchObject({ details: { sessionId: sessionId(1) } });
  const several = await type('/resume fix the');
  expect(several).toMatchObject({ level: 'error', code: 'resume.several' });
  expect(several.text).toContain(`${sessionId(1)}  Fix the build`);
  for (const words of ['0', '21', 'nothing of it'])
    expect(await type(`/resume ${words}`)).toMatchObject({
      level: 'error',
      code: 'resume.none',
      details: { words },
    });
});
