import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ScriptedModel } from '../model/scripted-model.ts';
import { openTestBox, type TestBox } from '../runtime/test-session.ts';
import { openListPlace } from './list-place.test-support.ts';
import { WorkspaceManager } from './manager.ts';
import { serverServices } from './server-services.test-support.ts';

const ONE = '0198c0de-0000-7000-8000-000000000001';
const TWO = '0198c0de-0000-7000-8000-000000000002';

let box: TestBox;
let manager: WorkspaceManager | undefined;
let warnings: string[];
let statePath: string;
beforeEach(async () => {
  box = await openTestBox();
  warnings = [];
  statePath = join(box.workDir, 'board.pycodex-ws.json');
  mkdirSync(join(box.config.codexHome, 'sessions', '2026', '08', '14'), { recursive: true });
  vi.stubEnv('HOME', box.dir);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await manager?.close();
  manager = undefined;
  expect(box.faults).toEqual([]);
  await box.remove();
});

/** In the form that pycodex 0.3 writes: local time with its offset, no turn boundaries. */
function conversation(id: string, cwd = box.workDir): string {
  const stamp = '2026-08-14T09:30:00.123+02:00';
  const record = (type: string, payload: object) => JSON.stringify({ timestamp: stamp, type, payload });
  const about = { id, timestamp: stamp, cwd, originator: 'pycodex', cli_version: '0.3.0', source: 'cli' };
  const message = (role: string, type: string, text: string) =>
    record('response_item', { type: 'message', role, content: [{ type, text }] });
  const said = { type: 'user_message', message: 'Say hi', images: [], local_images: [], text_elements: [] };
  const lines = [
    record('session_meta', { ...about, model_provider: 'openai', base_instructions: { text: 'You are …' } }),
    message('user', 'input_text', 'Say hi'),
    record('event_msg', said),
    record('response_item', {
      type: 'function_call',
      call_id: 'c1',
      name: 'shell',
      arguments: '{"command":["ls"]}',
    }),
    record('response_item', { type: 'function_call_output', call_id: 'c1', output: 'board.html' }),
    message('assistant', 'output_text', 'Hi from pycodex.'),
  ];
  return `${lines.join('\n')}\n`;
}

function rollout(id: string, text = conversation(id)): string {
  const name = `rollout-2026-08-14T09-30-00-${id}.jsonl`;
  const path = join(box.config.codexHome, 'sessions', '2026', '08', '14', name);
  writeFileSync(path, text);
  return path;
}

function writeTabs(tabs: unknown): void {
  writeFileSync(statePath, JSON.stringify({ version: 1, tabs }));
}

async function start(): Promise<WorkspaceManager> {
  const config = [{ id: 'w', work_dir: 'work', board: 'work/board.html' }];
  manager = new WorkspaceManager(
    await openListPlace(box, config, warnings),
    serverServices(box, new ScriptedModel()),
  );
  return manager;
}

/** Resolves at the next change for which `found` holds. */
async function until(one: WorkspaceManager, found: () => boolean): Promise<void> {
  while (!found())
    await new Promise<void>((resolve) => {
      const stop = one.onChange(() => {
        stop();
        resolve();
      });
    });
}

test('tabs of pycodex-ws become sessions, with their titles and conversations; the old file stays', async () => {
  const inner = join(box.workDir, 'inner');
  mkdirSync(inner);
  writeTabs([
    { title: 'Fix the <b>login</b>', rollout_path: rollout(ONE) },
    { title: null, rollout_path: rollout(TWO, conversation(TWO, inner)) },
    { title: 'A fork without a file', rollout_path: rollout(ONE), fork: true },
    { title: 'Never used' },
  ]);
  const before = readFileSync(statePath, 'utf8');
  const one = await start();
  await until(one, () => one.sessions('w').length > 0);
  expect(one.sessions('w')).toMatchObject([
    { id: ONE, title: 'Fix the <b>login</b>', createdAt: '2026-08-14T07:30:00.123Z', status: 'idle' },
    { id: TWO, title: null },
  ]);
  const { state } = (await one.find(ONE)).snapshot();
  expect(state.items.map(({ type }) => type)).toEqual(['userMessage', 'commandExecution', 'agentMessage']);
  expect(state).toMatchObject({ cwd: box.workDir, canContinue: false, turn: null });
  expect((await one.find(TWO)).snapshot().state.cwd).toBe(inner);
  expect(readFileSync(statePath, 'utf8')).toBe(before);
  expect(warnings).toEqual([]);
});

test('that happens once: what is closed here does not come back', async () => {
  writeTabs([{ title: 'One', rollout_path: rollout(ONE) }]);
  const first = await start();
  await until(first, () => first.sessions('w').length === 1);
  await first.closeSession(ONE);
  await first.close();
  writeTabs([
    { title: 'One', rollout_path: rollout(ONE) },
    { title: 'Two', rollout_path: rollout(TWO) },
  ]);
  const second = await start();
  await second.close();
  expect(second.sessions('w')).toEqual([]);
});

test('what appears only after the first look is not taken: an agent may have written it', async () => {
  const first = await start();
  await first.close();
  writeTabs([{ title: 'Of others', rollout_path: rollout(ONE) }]);
  const second = await start();
  await second.close();
  expect(second.sessions('w')).toEqual([]);
  expect(warnings).toEqual([]);
});

test('one whose file is gone is not opened again as an empty one', async () => {
  const path = rollout(ONE);
  writeTabs([{ title: 'One', rollout_path: path }]);
  const one = await start();
  await until(one, () => one.sessions('w').length === 1);
  await one.closeSession(ONE);
  rmSync(path);
  await expect(one.reopenSession('w', ONE)).rejects.toMatchObject({ code: 'session.file-gone' });
  writeFileSync(path, conversation(ONE));
  expect((await one.reopenSession('w', ONE)).wasOpen).toBe(false);
});

test('what cannot be taken is named and stops nothing; what cannot be read is shown as broken', async () => {
  const outside = join(box.workDir, `rollout-${TWO}.jsonl`);
  writeFileSync(outside, conversation(TWO));
  const linked = rollout('0198c0de-0000-7000-8000-000000000003');
  rmSync(linked);
  symlinkSync(outside, linked);
  const unreadable = rollout('0198c0de-0000-7000-8000-000000000004');
  rmSync(unreadable);
  mkdirSync(unreadable);
  const nameless = join(box.config.codexHome, 'sessions', 'notes.jsonl');
  writeFileSync(nameless, '{"a":1}\n');
  writeTabs([
    7,
    { title: 7, rollout_path: rollout(ONE) },
    { title: 'gone', rollout_path: '/nowhere/rollout.jsonl' },
    { title: 'outside', rollout_path: outside },
    { title: 'linked', rollout_path: linked },
    { title: 'passwords', rollout_path: '/etc/passwd' },
    { title: 'nameless', rollout_path: nameless },
    { title: 'unreadable', rollout_path: unreadable },
    { rollout_path: 'x\0y' },
  ]);
  const one = await start();
  await until(one, () => one.sessions('w').length > 0);
  expect(one.sessions('w').map(({ id, title }) => [id.slice(-1), title])).toEqual([
    ['1', null],
    ['4', 'unreadable'],
  ]);
  const left = warnings.map((text) => /the tab of (\S+) is left out: /.exec(text)?.[1]);
  expect(left).toEqual(['/nowhere/rollout.jsonl', outside, linked, '/etc/passwd', nameless, 'x\0y']);
  await expect(one.find('0198c0de-0000-7000-8000-000000000004')).rejects.toMatchObject({
    code: 'rollout.unreadable',
  });
  await until(one, () => one.sessions('w')[1]?.problem !== undefined);
});

test.each([['{"tabs": ['], ['[]'], ['{"tabs": "x"}'], ['null'], [' '.repeat(2 * 1024 * 1024)]])(
  'a file that holds no tabs is named, and nothing comes of it',
  async (text) => {
    writeFileSync(statePath, text);
    const one = await start();
    await one.close();
    expect(one.sessions('w')).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining(`${statePath}: its tabs are left out: `)]);
  },
);
