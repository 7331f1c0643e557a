import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { isGone } from '../../exec/process-list.ts';
import { ANSWERS, type FakeExec, fakeExec, THREAD } from './fake-exec.test-support.ts';
import { standsIn } from './rollout-tail.ts';

const sessions: FakeExec[] = [];
afterEach(async () => {
  for (const one of sessions.splice(0)) await one.remove();
});

async function session(...from: Parameters<typeof fakeExec>): Promise<FakeExec> {
  const made = await fakeExec(...from);
  sessions.push(made);
  return made;
}

const STARTS = `say('thread.started', { thread_id: '${THREAD}' }); say('turn.started');`;
/** Once all of its prompt is there. */
const read = (body: string) => `process.stdin.on('end', () => { ${body} });`;

test('a message goes in through stdin, is shown once it is recorded, and answered', async () => {
  const one = await session(ANSWERS);
  await expect(one.run()).resolves.toEqual({ status: 'completed', lastMessage: 'You said Hello' });
  expect(one.shown()).toEqual(['userMessage Hello', 'agentMessage You said Hello']);
  expect(one.given).toEqual([['input', 0]]);
  expect(one.prepared).toEqual([true]);
  expect(one.aside).toMatchObject([{ inputTokens: 100, totalTokens: 101 }]);
  expect(one.faults).toEqual([]);
  expect(one.backend.hasConversation()).toBe(true);
});

test('what it prints before its message is shown comes after that', async () => {
  const one = await session(
    read(`${STARTS} item('item_0', { type: 'agent_message', text: 'Quick' });
setTimeout(() => { took(prompt); say('turn.completed', { usage: usage(1) }); }, 150);`),
  );
  await expect(one.run()).resolves.toMatchObject({ status: 'completed' });
  expect(one.shown()).toEqual(['userMessage Hello', 'agentMessage Quick']);
});

test('a message that Codex records in other words is taken, as its turn has begun', async () => {
  const one = await session(
    read(`took('It is normalised.'); setTimeout(() => { ${STARTS}
item('item_0', { type: 'agent_message', text: 'Done' }); say('turn.completed', { usage: usage(1) }); }, 150);`),
  );
  await expect(one.run()).resolves.toEqual({ status: 'completed', lastMessage: 'Done' });
  expect(one.shown()).toEqual(['userMessage Hello', 'agentMessage Done']);
  expect(one.waiting).toEqual([]);
});

test('what another Codex says meanwhile is no message of ours', async () => {
  const one = await session(
    read(`took('Of somebody else');
setTimeout(() => { console.error('thread x already has an active writer'); process.exit(1); }, 150);`),
  );
  await expect(one.run()).resolves.toMatchObject({ status: 'failed', error: { code: 'codex.busy' } });
  expect(one.waiting).toHaveLength(1);
  expect(one.shown()).toEqual([]);
});

test('half a character in a message does not keep it from being found again', async () => {
  const one = await session(ANSWERS);
  one.waiting[0] = { id: 'input', text: 'Half \ud83d of it', imagePaths: [] };
  await expect(one.run()).resolves.toMatchObject({ status: 'completed' });
  expect(await standsIn(one.rollout, 'Half \ud83d of it', 0)).toBe(true);
});

test('one message a turn: the next waits for its own', async () => {
  const one = await session(ANSWERS);
  one.waiting.push({ id: 'second', text: 'And more', imagePaths: [] });
  await one.run();
  expect(one.waiting.map(({ id }) => id)).toEqual(['second']);
  await expect(one.run()).resolves.toMatchObject({ lastMessage: 'You said And more' });
  const [, [id, bytes] = []] = one.given;
  expect([id, bytes]).toEqual(['second', expect.any(Number)]);
  expect(bytes).toBeGreaterThan(0);
});

test('requests are counted as the file tells of them, and what it did not tell by the difference of totals', async () => {
  const one = await session(
    read(`${STARTS} took(prompt); count(60, 60); count(60, 60); count(80, 140);
say('turn.completed', { usage: usage(200) });`),
  );
  await one.run();
  expect(one.used.map(({ inputTokens }) => inputTokens)).toEqual([60, 80]);
  expect(one.aside).toMatchObject([{ inputTokens: 60 }]);
});

test('a patch is shown with what it changes, which stands in the file alone', async () => {
  const one = await session(
    read(`${STARTS} took(prompt);
item('item_0', { type: 'file_change', changes: [{ path: '/w/a', kind: 'update' }], status: 'in_progress' }, 'item.started');
item('item_0', { type: 'file_change', changes: [{ path: '/w/a', kind: 'update' }], status: 'completed' });
setTimeout(() => {
  write('event_msg', { type: 'item_completed', turn_id: 't', item: { type: 'FileChange', changes: { '/w/a': { type: 'update', unified_diff: '@@ -1 +1 @@\\n-a\\n+b' } } } });
  say('turn.completed', { usage: usage(1) });
}, 50);`),
  );
  await one.run();
  const last = one.events.findLast((event) => event.type === 'item.completed');
  expect(last).toMatchObject({
    item: { type: 'fileChange', changes: [{ path: '/w/a', kind: 'update', diff: '@@ -1 +1 @@\n-a\n+b' }] },
  });
});

test('the model that it takes is told', async () => {
  const one = await session(
    read(`${STARTS} took(prompt); write('turn_context', { model: 'gpt-x' }); say('turn.completed', {});`),
  );
  await one.run();
  expect(one.events).toContainEqual({ type: 'session.updated', patch: { model: 'gpt-x' } });
});

test('another thread than that of the session is an error, and what began it is ended', async () => {
  const one = await session(
    read(
      `say('thread.started', { thread_id: 'another' }); process.on('SIGINT', () => process.exit(1)); stay();`,
    ),
  );
  await expect(one.run()).resolves.toMatchObject({
    ...{ status: 'failed', error: { code: 'codex.resume', message: expect.stringContaining('another') } },
  });
  expect(one.waiting).toHaveLength(1);
});

test.each([
  ['exit code', 'console.error("secret sk-123"); process.exit(7);', { code: 'codex.exit' }, /exit code 7/],
  [
    'an unknown thread',
    'console.error("Error: no rollout found for thread id x\\n\\nStack backtrace:\\n 0: y"); process.exit(1);',
    { code: 'codex.resume' },
    /does not find/,
  ],
  [
    'a held lock',
    'console.error("thread x already has an active writer (code -32600)"); process.exit(1);',
    { code: 'codex.busy' },
    /Another Codex/,
  ],
  [
    'an expired login',
    'console.error("Your access token could not be refreshed. Please log out and sign in again."); process.exit(1);',
    { code: 'codex.login' },
    /codex login/,
  ],
  ['garbage', 'console.log("no json\\n[1]\\n{"); process.exit(0);', { code: 'codex.exit' }, /exit code 0/],
  ['a signal', 'process.kill(process.pid, "SIGKILL");', { code: 'codex.exit' }, /SIGKILL/],
])('%s before the message is taken: it says why and goes on waiting', async (_, body, error, words) => {
  const one = await session(read(body));
  const outcome = await one.run();
  expect(outcome).toMatchObject({ status: 'failed', error });
  expect(JSON.stringify(outcome)).toMatch(words);
  expect(JSON.stringify(outcome)).not.toContain('sk-123');
  expect(one.waiting).toHaveLength(1);
  expect(one.shown()).toEqual([]);
});

test('one that dies in the middle of a turn ends it with what it has shown, and the next one starts', async () => {
  const one = await session(
    read(`if (prompt !== 'Hello') { ${STARTS} took(prompt); say('turn.completed', {}); return; }
${STARTS} took(prompt); item('item_0', { type: 'command_execution', command: 'make', status: 'in_progress' }, 'item.started');
setTimeout(() => process.exit(3), 150);`),
  );
  await expect(one.run()).resolves.toMatchObject({ status: 'failed', error: { code: 'codex.exit' } });
  const last = one.events.findLast((event) => event.type === 'item.completed');
  expect(last).toMatchObject({ item: { type: 'commandExecution', status: 'interrupted' } });
  one.waiting.push({ id: 'next', text: 'Again', imagePaths: [] });
  await expect(one.run()).resolves.toMatchObject({ status: 'completed' });
});

test('a flood, of garbage and of events, before its message is shown and after, takes no event away', async () => {
  const one = await session(
    read(`${STARTS} fs.writeSync(1, 'garbage\\n'.repeat(20000));
for (let n = 0; n < 1500; n++) item('item_' + n, { type: 'agent_message', text: String(n) });
took(prompt);
for (let n = 1500; n < 3000; n++) item('item_' + n, { type: 'agent_message', text: String(n) });
say('turn.completed', {});`),
  );
  await expect(one.run()).resolves.toEqual({ status: 'completed', lastMessage: '2999' });
  expect(one.shown()).toHaveLength(3001);
  expect(one.shown()[0]).toBe('userMessage Hello');
}, 60_000);

test('one that floods before it takes its message is stopped', async () => {
  const one = await session(
    read(`process.on('SIGINT', () => process.exit(1));
const flood = () => { fs.writeSync(1, '{"type":"turn.started"}\\n'.repeat(1000)); setImmediate(flood); }; flood();`),
  );
  await expect(one.run()).resolves.toMatchObject({ error: { code: 'codex.flood' } });
  expect(one.waiting).toHaveLength(1);
}, 60_000);

test('a failed turn is told in its words, whatever its exit code', async () => {
  const one = await session(
    read(`${STARTS} took(prompt); say('error', { message: 'Too much.' });
say('turn.failed', { error: { message: 'Too much.' } }); process.exit(1);`),
  );
  await expect(one.run()).resolves.toMatchObject({
    error: { code: 'codex.turn', details: { reason: 'Too much.' } },
  });
  expect(one.shown()).toEqual(['userMessage Hello']);
});

test('Stop asks it first, and its message is taken where it stands in the file', async () => {
  const one = await session(
    read(`${STARTS} took(prompt);
process.on('SIGINT', () => { fs.writeFileSync('interrupted', 'yes'); process.exit(1); }); stay();`),
  );
  const stop = new AbortController();
  const ran = one.run(stop.signal);
  await vi.waitFor(() => expect(one.shown()).toEqual(['userMessage Hello']));
  stop.abort();
  await expect(ran).resolves.toEqual({ status: 'interrupted' });
  expect(one.left('interrupted')).toBe('yes');
  expect(one.waiting).toEqual([]);
});

test('a turn that is stopped before it has begun starts nothing', async () => {
  const one = await session(ANSWERS);
  await expect(one.run(AbortSignal.abort())).resolves.toEqual({ status: 'interrupted' });
  expect(one.waiting).toHaveLength(1);
  expect(existsSync(one.rollout)).toBe(false);
});

test('one that does not end is ended with all that it has started, also out of its group', async () => {
  const one = await session(
    read(`${STARTS} took(prompt); process.on('SIGINT', () => undefined); process.on('SIGTERM', () => undefined);
const child = require('node:child_process').spawn('/bin/sleep', ['300'], { detached: true, stdio: 'ignore' });
fs.writeFileSync('child', String(child.pid)); stay();`),
  );
  const stop = new AbortController();
  const ran = one.run(stop.signal);
  await vi.waitFor(() => expect(existsSync(join(one.dir, 'child'))).toBe(true), 5000);
  stop.abort();
  await expect(ran).resolves.toEqual({ status: 'interrupted' });
  expect(isGone(Number(one.left('child')))).toBe(true);
}, 30_000);

test('a wrapper that is killed leaves no Codex behind', async () => {
  const one = await session(
    read(`${STARTS} took(prompt);
const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'inherit' });
fs.writeFileSync('child', String(child.pid));
setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100);`),
  );
  await expect(one.run()).resolves.toMatchObject({ status: 'failed', error: { code: 'codex.exit' } });
  expect(isGone(Number(one.left('child')))).toBe(true);
}, 30_000);

test('one that says nothing for too long is ended, and so is one that waits for a network for ever', async () => {
  const body = read(`${STARTS} took(prompt); process.on('SIGINT', () => process.exit(1)); stay();`);
  const silent = await session(body, { silenceMs: 400 });
  await expect(silent.run()).resolves.toMatchObject({ error: { code: 'codex.silence' } });
  const waits = await session(
    read(`${STARTS} took(prompt); process.on('SIGINT', () => process.exit(1));
setInterval(() => say('error', { message: 'Reconnecting... waiting for network (refused)' }), 20);`),
    { reconnectSeconds: 0.4 },
  );
  await expect(waits.run()).resolves.toMatchObject({
    error: { code: 'codex.unreachable', details: { reason: 'refused' } },
  });
}, 30_000);

test('one that is too old is not started; one of which nobody knows is', async () => {
  const old = await session(`${ANSWERS}`);
  await replaceVersion(old, "console.log('codex-cli 0.99.1')");
  await expect(old.run()).resolves.toMatchObject({
    error: { code: 'codex.version', message: expect.stringMatching(/0\.99\.1.*0\.137/) },
  });
  const mute = await session(`${ANSWERS}`);
  await replaceVersion(mute, 'process.exit(1)');
  await expect(mute.run()).resolves.toMatchObject({ status: 'completed' });
});

test('an older one gets a file of the form that it knows', async () => {
  const one = await session(ANSWERS);
  await replaceVersion(one, "console.log('codex-cli 0.137.0')");
  await one.run();
  expect(one.prepared).toEqual([false]);
});

test('images go along, and a message of nothing else has words for Codex', async () => {
  const one = await session(
    read(
      `fs.writeFileSync('args', JSON.stringify(args)); ${STARTS} took(prompt); say('turn.completed', {});`,
    ),
  );
  one.waiting[0] = { id: 'input', text: '', imagePaths: ['/a.png', '/b.png'] };
  await expect(one.run()).resolves.toMatchObject({ status: 'completed' });
  expect(JSON.parse(one.left('args')).slice(-7)).toEqual([
    ...['resume', '-i', '/a.png', '-i', '/b.png', THREAD, '-'],
  ]);
});

test('its models are those that it lists itself; none where it cannot', async () => {
  const one = await session(
    "if (args[0] === 'debug') { console.log(JSON.stringify({ models: [{ slug: 'a' }, { slug: 'b', visibility: 'hide' }] })); process.exit(0); }",
  );
  expect(await one.backend.listModels(new AbortController().signal)).toEqual(['a']);
  const other = await session('process.exit(2);');
  expect(await other.backend.listModels(new AbortController().signal)).toEqual([]);
});

async function replaceVersion({ program }: FakeExec, line: string): Promise<void> {
  const text = await readFile(program, 'utf8');
  await writeFile(program, text.replace(/console\.log\('codex-cli [^;]*/, line));
}
