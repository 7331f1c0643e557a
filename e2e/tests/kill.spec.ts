/**
 * `kill -9` at many points of a turn, then a restart: nothing acknowledged is missing or doubled, nothing runs
 * twice, and the session goes on.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { SessionState } from '@tscodex/shared/session-state';
import { FakeModel, type Step } from '../support/fake-model.ts';
import { Box, type RunningServer, serverBin } from '../support/server.ts';

const never: Step = { wait: new Promise(() => undefined) };
const FULL_ACCESS = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n';

type Scene = { model: FakeModel; server: RunningServer; session: string; sent: string[]; box: Box };

let scene: Scene;

async function begin(toml = ''): Promise<Scene> {
  const model = await FakeModel.start();
  const box = await Box.make({ modelUrl: model.url, toml });
  const server = await box.start();
  scene = { model, box, server, session: await server.newSession(), sent: [] };
  return scene;
}

async function send(text: string, mode: 'steer' | 'queue' = 'steer'): Promise<void> {
  const id = randomUUID();
  await scene.server.send(scene.session, text, mode, id);
  scene.sent.push(id);
}

async function crash(): Promise<void> {
  await scene.server.kill('SIGKILL');
  scene.server = await scene.box.start();
}

test.afterEach(async () => {
  await scene.server.kill('SIGKILL');
  await scene.model.stop();
  await scene.box.remove();
});

/** Every acknowledged input is in the conversation or waits, once. */
function expectEachOnce(state: SessionState): void {
  const seen = [
    ...state.items.flatMap((item) => (item.type === 'userMessage' ? [item.inputId] : [])),
    ...state.waiting.map((input) => input.id),
  ];
  expect([...seen].sort()).toEqual([...scene.sent].sort());
}

const codes = (state: SessionState) => state.items.flatMap((i) => (i.type === 'notice' ? [i.code] : []));
const answers = (state: SessionState) =>
  state.items.flatMap((i) => (i.type === 'agentMessage' && i.status === 'completed' ? [i.text] : []));

/** What the model was shown must always be a valid history: every call has one output. */
function expectPaired(): void {
  for (const { input } of scene.model.requests) {
    const called = input.filter((i) => /_call$/.test(String(i.type))).map((i) => i.call_id);
    const answered = input.filter((i) => /_call_output$/.test(String(i.type))).map((i) => i.call_id);
    expect([...answered].sort()).toEqual([...called].sort());
  }
}

async function expectInterrupted(): Promise<void> {
  const state = await scene.server.idle(scene.session);
  expect(codes(state)).toContain('turn.interrupted');
  expect(state.canContinue).toBe(true);
  expectEachOnce(state);
  scene.model.answer([{ text: 'Continued.' }]);
  await scene.server.api('POST', `api/sessions/${scene.session}/resume`);
  const after = await scene.server.until(scene.session, (s) => answers(s).includes('Continued.'));
  expect(after.canContinue).toBe(false);
  expectPaired();
}

test('right after the message was accepted', async () => {
  const { model } = await begin();
  model.answer(...Array(3).fill([{ delay: 300 }, { text: 'Answered.' }]));
  await send('hello');
  await crash();
  const state = await scene.server.until(
    scene.session,
    (s) => answers(s).includes('Answered.') || codes(s).includes('turn.interrupted'),
  );
  expectEachOnce(state);
});

test('the request is under way, nothing has come back', async () => {
  const { model } = await begin();
  model.answer([never]);
  await send('hello');
  await model.asked(1);
  await crash();
  await expectInterrupted();
});

test('in the middle of the stream', async () => {
  const { model, server, session } = await begin();
  model.answer([{ text: 'Half an ' }, never]);
  await send('hello');
  await server.until(session, (s) => s.items.some((i) => i.type === 'agentMessage' && i.text !== ''));
  // what people could read for a while is still there
  await expect.poll(() => drafts(scene.box)).toBe(1);
  await crash();
  const state = await scene.server.idle(session);
  expect(state.items.find((i) => i.type === 'agentMessage')).toMatchObject({
    status: 'interrupted',
    text: 'Half an ',
  });
  await expectInterrupted();
});

test('a command is running', async () => {
  const { model, server, session, box } = await begin(FULL_ACCESS);
  const marker = `37${Math.floor(Math.random() * 1e6)}`;
  model.answer([{ call: 'exec_command', args: { cmd: `echo ran >> runs.txt; sleep ${marker}` } }]);
  await send('run it');
  await expect.poll(() => readRuns(box)).toBe('ran\n');
  await server.until(session, (s) => s.items.some((i) => i.type === 'commandExecution'));
  await crash();
  const state = await scene.server.idle(scene.session);
  expect(state.items.find((i) => i.type === 'commandExecution')).toMatchObject({ status: 'interrupted' });
  await expectInterrupted();
  expect(readRuns(box)).toBe('ran\n');
  await expect.poll(() => processes(`sleep ${marker}`)).toEqual([]);
});

test('an approval is open: the turn goes on with the same ask', async () => {
  const { model, server, session, box } = await begin();
  model.answer([{ call: 'exec_command', args: { cmd: 'echo ran >> runs.txt' } }], [{ text: 'It ran.' }]);
  await send('run it');
  const before = await server.until(session, (s) => s.asks.length === 1);
  await crash();
  const after = await scene.server.until(session, (s) => s.asks.length === 1 && s.status === 'asking');
  expect(after.asks[0]?.id).toBe(before.asks[0]?.id);
  expect(after.turn?.id).toBe(before.turn?.id);
  expect(codes(after)).toEqual([]);
  await scene.server.api('POST', `api/sessions/${session}/asks/${after.asks[0]?.id}`, { choice: 'once' });
  const end = await scene.server.idle(session);
  expect(answers(end)).toEqual(['It ran.']);
  expect(readRuns(box)).toBe('ran\n');
  expect(end.items.filter((i) => i.type === 'commandExecution')).toHaveLength(1);
  expectEachOnce(end);
  expectPaired();
});

test('an approval was just given: it counts, and the command runs once', async () => {
  const { model, server, session, box } = await begin();
  model.answer([{ call: 'exec_command', args: { cmd: 'echo ran >> runs.txt' } }], [{ text: 'It ran.' }]);
  await send('run it');
  const { asks } = await server.until(session, (s) => s.asks.length === 1);
  await server.api('POST', `api/sessions/${session}/asks/${asks[0]?.id}`, { choice: 'once' });
  await crash();
  const state = await scene.server.idle(session);
  expect(state.asks).toEqual([]);
  // either it had begun before the crash, or it began after it: never both, never neither unnoticed
  if (codes(state).includes('turn.interrupted')) expect(readRuns(box).length).toBeLessThanOrEqual(4);
  else expect(readRuns(box)).toBe('ran\n');
  expectEachOnce(state);
  expectPaired();
});

test('a question is open', async () => {
  const { model, server, session } = await begin();
  const questions = [{ id: 'q', header: 'Colour', question: 'Which?', options: [] }];
  model.answer([{ call: 'request_user_input', args: { questions } }], [{ text: 'Blue.' }]);
  await send('ask me');
  const before = await server.until(session, (s) => s.asks.length === 1);
  await crash();
  await scene.server.until(session, (s) => s.status === 'asking');
  await scene.server.api('POST', `api/sessions/${session}/asks/${before.asks[0]?.id}`, {
    answers: { q: ['blue'] },
  });
  const end = await scene.server.idle(session);
  expect(answers(end)).toEqual(['Blue.']);
  expect(JSON.stringify(model.requests.at(-1)?.input)).toContain('blue');
  expectPaired();
});

test('a steer and a queued message wait', async () => {
  const { model, server, session } = await begin();
  model.answer([{ text: 'Busy ' }, never], [{ text: 'The steer.' }], [{ text: 'The queue.' }]);
  await send('start');
  await server.until(session, (s) => s.items.some((i) => i.type === 'agentMessage'));
  await send('then that', 'queue');
  await send('also this');
  await crash();
  const state = await scene.server.until(session, (s) => answers(s).includes('The queue.'));
  expect(answers(state)).toEqual(['The steer.', 'The queue.']);
  expect(state.items.flatMap((i) => (i.type === 'userMessage' ? [i.text] : []))).toEqual([
    'start',
    'also this',
    'then that',
  ]);
  expectEachOnce(state);
  expectPaired();
});

test('a steer was taken and the next request is under way', async () => {
  const { model, session } = await begin();
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  model.answer([{ wait: gate }, { call: 'update_plan', args: { plan: [] } }], [never]);
  await send('start');
  await model.asked(1);
  await send('also this');
  open();
  await model.asked(2);
  await crash();
  await expectInterrupted();
  const state = await scene.server.idle(session);
  expect(state.items.filter((i) => i.type === 'userMessage').slice(0, 2)).toHaveLength(2);
});

test('a command goes on in the background', async () => {
  const { model, session } = await begin(FULL_ACCESS);
  const marker = `38${Math.floor(Math.random() * 1e6)}`;
  model.answer(
    [{ call: 'exec_command', args: { cmd: `sleep ${marker}`, yield_time_ms: 250 } }],
    [{ text: 'It runs.' }],
  );
  await send('start the server');
  await scene.server.idle(session);
  expect(processes(`sleep ${marker}`)).not.toEqual([]);
  await crash();
  await expect.poll(() => processes(`sleep ${marker}`)).toEqual([]);
  const state = await scene.server.state(session);
  expect(state.background).toEqual([]);
  expect(state.items.find((i) => i.type === 'commandExecution')).toMatchObject({ status: 'interrupted' });
  expect(codes(state)).toEqual([]);
  expectEachOnce(state);
});

test('while a stop is under way', async () => {
  const { model, server, session } = await begin(FULL_ACCESS);
  model.answer([{ call: 'exec_command', args: { cmd: 'trap "" TERM; sleep 300 & wait; wait' } }]);
  await send('run it');
  await server.until(session, (s) => s.items.some((i) => i.type === 'commandExecution'));
  await server.api('POST', `api/sessions/${session}/interrupt`);
  await crash();
  const state = await scene.server.idle(session);
  expectEachOnce(state);
  model.answer([{ text: 'Still here.' }]);
  await send('are you there');
  expect(answers(await scene.server.idle(session))).toEqual(['Still here.']);
  expectPaired();
});

test('twice within one turn: the session waits for a person', async () => {
  const { model, session } = await begin();
  model.answer([never], [never]);
  await send('hello');
  await model.asked(1);
  await crash();
  await scene.server.until(session, (s) => s.canContinue);
  await scene.server.api('POST', `api/sessions/${session}/resume`);
  await model.asked(2);
  await crash();
  const state = await scene.server.until(session, (s) => s.status === 'paused');
  expect(codes(state)).toContain('session.crashed');
  await scene.server.api('POST', `api/sessions/${session}/resume`);
  await scene.server.until(session, (s) => s.status === 'idle');
  model.answer([{ text: 'Better now.' }]);
  await scene.server.send(session, 'again');
  expect(answers(await scene.server.idle(session))).toEqual(['Better now.']);
});

test('a polite end while an approval is open keeps it, too', async () => {
  const { model, server, session } = await begin();
  model.answer([{ call: 'exec_command', args: { cmd: 'true' } }], [{ text: 'Done.' }]);
  await send('run it');
  const before = await server.until(session, (s) => s.asks.length === 1);
  expect(await server.kill('SIGTERM')).toBe(0);
  scene.server = await scene.box.start();
  const after = await scene.server.until(session, (s) => s.status === 'asking');
  expect(after.asks[0]?.id).toBe(before.asks[0]?.id);
});

/** How many messages the database holds that were streaming. */
function drafts(box: Box): number {
  type Sqlite = new (
    path: string,
    options: object,
  ) => {
    prepare(sql: string): { get(): { n: number } };
    close(): void;
  };
  const Database = createRequire(serverBin)('libsql') as Sqlite;
  const db = new Database(join(box.codexHome, 'tscodex', 'state.sqlite'), { readonly: true });
  const { n } = db.prepare('SELECT count(*) AS n FROM drafts').get();
  db.close();
  return n;
}

function readRuns(box: Box): string {
  try {
    return readFileSync(join(box.workDir, 'runs.txt'), 'utf8');
  } catch {
    return ''; // it has not run
  }
}

/** Pids of processes whose command line holds exactly these words. */
function processes(words: string): string[] {
  const list = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  return list.split('\n').filter((line) => line.trim().replace(/^\d+\s+/, '') === words);
}
