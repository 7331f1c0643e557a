import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventBody } from '@tscodex/shared/events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../base/errors.ts';
import { isGone } from '../../exec/process-list.ts';
import { type OneShotOptions, OneShotRun } from './one-shot-run.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'codex-one-shot-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A program in Codex's place; `body` is what it does with the `id`, `method` and `params` of a message. */
async function codex(body: string): Promise<string> {
  const path = join(dir, 'codex');
  const head = `#!${process.execPath}
const { appendFileSync } = require('node:fs');
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const tell = (method, params) => say({ method, params: { threadId: 't', turnId: 'u', ...params } });
const item = (type, rest, state = 'completed') => tell('item/' + state, { item: { type, id: type, ...rest } });
const message = (text, phase = null) => item('agentMessage', { text, phase });
const retry = (httpStatusCode) => tell('error', { willRetry: true, error: {
  message: 'Reconnecting... 1/2', codexErrorInfo: { responseStreamDisconnected: { httpStatusCode } },
  additionalDetails: 'SECRET of the product' } });
const end = (status, codexErrorInfo) => tell('turn/completed', { turn: { id: 'u', status,
  error: status === 'failed' ? { message: 'SECRET of the product', codexErrorInfo } : null } });
console.error('SECRET on stderr');
const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('close', () => process.exit(0));
lines.on('line', (line) => {
  appendFileSync('heard', line + '\\n');
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { userAgent: 'tscodex/0.171.0' } });
  if (method === 'thread/start') say({ id, result: { thread: { id: 't' }, model: 'their-model' } });
  if (method === 'turn/start') say({ id, result: { turn: { id: 'u' } } });
  ${body}
});
`;
  await writeFile(path, head);
  await chmod(path, 0o755);
  return path;
}

type Heard = { method?: string; params?: Record<string, unknown>; result?: unknown; error?: unknown };

async function heard(): Promise<Heard[]> {
  const text = await readFile(join(dir, 'heard'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

type Run = Partial<OneShotOptions> & { stop?: AbortSignal; said?: (event: EventBody) => void };

async function run(program: string | (() => string), { stop, said, ...options }: Run = {}) {
  const events: EventBody[] = [];
  const faults: unknown[] = [];
  const whole: OneShotOptions = {
    codex: {
      program: typeof program === 'string' ? () => program : program,
      ...{ cwd: dir, env: { PATH: process.env.PATH ?? '' }, version: '0' },
    },
    held: () => ({ approvalPolicy: 'never' }),
    ...{ model: null, effort: null, timeoutMs: 60_000, graceMs: 2000 },
    host: {
      emit: (event) => {
        events.push(event);
        said?.(event);
      },
      used: () => undefined,
      fault: (_, error) => faults.push(error),
    },
    ...options,
  };
  const signal = stop ?? new AbortController().signal;
  const outcome = await new OneShotRun(whole, 'turn', signal, () => undefined).outcome('do it');
  // whatever comes of it, nothing that Codex or its provider says of a failure is told
  expect(JSON.stringify([outcome, events])).not.toContain('SECRET');
  return { outcome, events, faults };
}

const failed = (failureClass: string, stage: string, more: object = {}) => ({
  status: 'failed',
  error: { code: `codex-agent.${failureClass}`, details: { class: failureClass, stage, ...more } },
});

const missing = () => {
  throw new Failure('unavailable', 'codex.missing', 'There is no Codex');
};
const held = () => {
  throw new Failure('forbidden', 'agent.codex-permissions', 'not in this session');
};

const onTurn = (body: string) => `if (method === 'turn/start') { ${body} }`;
const failure = (info: unknown) => onTurn(`end('failed', ${JSON.stringify(info)})`);
const httpFailure = (kind: string, httpStatusCode: number | null) => failure({ [kind]: { httpStatusCode } });

const TABLE: [name: string, body: string, outcome: object, options?: Run & { program?: () => string }][] = [
  [
    'success',
    onTurn("message('42', 'final_answer'); end('completed')"),
    { status: 'completed', lastMessage: '42' },
  ],
  [
    'empty answer',
    onTurn("message(' ', 'final_answer'); end('completed')"),
    failed('invalid-result', 'result'),
  ],
  [
    'no answer',
    onTurn("message('on it', 'commentary'); end('completed')"),
    failed('invalid-result', 'result'),
  ],
  ['401', httpFailure('httpConnectionFailed', 401), failed('access-policy', 'turn', { httpStatus: 401 })],
  ['403', httpFailure('httpConnectionFailed', 403), failed('access-policy', 'turn', { httpStatus: 403 })],
  ['a policy', failure('cyberPolicy'), failed('access-policy', 'turn')],
  ['429', httpFailure('responseTooManyFailedAttempts', 429), failed('limit', 'turn', { httpStatus: 429 })],
  ['its account', failure('usageLimitExceeded'), failed('limit', 'turn')],
  [
    '500',
    onTurn("retry(500); end('failed', 'internalServerError')"),
    failed('service', 'turn', { httpStatus: 500 }),
  ],
  ['500, told by a word', failure('internalServerError'), failed('service', 'turn', { httpStatus: 500 })],
  ['503', failure('serverOverloaded'), failed('service', 'turn')],
  ['no connection', httpFailure('responseStreamDisconnected', null), failed('transport', 'turn')],
  ['400', failure('other'), failed('product-error', 'turn')],
  ['a model that is not there', failure('modelNotFound'), failed('product-error', 'turn')],
  ['words of a version to come', failure('newKind'), failed('product-error', 'turn')],
  ['no reason', onTurn("end('failed', undefined)"), failed('unknown', 'turn')],
  ['an end of another kind', onTurn("end('paused')"), failed('unknown', 'turn')],
  ['an interruption that nobody here asked for', onTurn("end('interrupted')"), failed('unknown', 'turn')],
  ['missing binary', '', failed('process', 'start'), { program: missing }],
  [
    'more than its session may',
    '',
    failed('access-policy', 'start', { reason: 'not in this session' }),
    { held },
  ],
  ['death', onTurn('process.exit(3)'), failed('process', 'turn')],
];

test.each(TABLE)('what comes of it: %s', async (_, body, outcome, { program, ...options } = {}) => {
  const path = await codex(body);
  const { outcome: found, faults } = await run(program ?? path, options);
  expect(found).toMatchObject(outcome);
  expect(faults).toEqual([]);
});

test('a program that is not there, that ends at once, that is too old, that refuses, that answers garbage', async () => {
  const nowhere = await run(join(dir, 'nowhere'));
  expect(nowhere.outcome).toMatchObject(failed('process', 'start'));
  const script = async (body: string) => {
    await writeFile(join(dir, 'other'), `#!${process.execPath}\n${body}`);
    await chmod(join(dir, 'other'), 0o755);
    return (await run(join(dir, 'other'))).outcome;
  };
  expect(await script("console.error('SECRET'); process.exit(3);")).toMatchObject(failed('process', 'start'));
  const answers = (result: string) => `
process.stdin.on('data', (data) => { for (const line of String(data).trim().split('\\n')) {
  const { id, method } = JSON.parse(line);
  if (id === undefined) continue;
  console.log(JSON.stringify({ id, ${result} }));
} }).on('end', () => process.exit(0));`;
  expect(await script(answers("result: { userAgent: 'codex/0.140.0' }"))).toMatchObject(
    failed('product-error', 'start'),
  );
  const refuses = answers(
    "...(method === 'initialize' ? { result: {} } : { error: { code: -32600, message: 'SECRET' } })",
  );
  expect(await script(refuses)).toMatchObject(failed('product-error', 'thread'));
  expect(await script(answers("result: 'SECRET'"))).toMatchObject(failed('invalid-result', 'thread'));
});

test('the answer is the last that is said to be one, else the last that is not said to be anything', async () => {
  const messages = (...said: [string, string | null][]) =>
    onTurn(
      `${said.map(([text, phase]) => `message('${text}', ${JSON.stringify(phase)});`).join('')}end('completed')`,
    );
  const answer = async (body: string) => {
    const { outcome } = await run(await codex(body));
    return outcome.status === 'completed' && outcome.lastMessage;
  };
  const final = messages(['first', 'final_answer'], ['second', 'final_answer'], ['after it', null]);
  expect(await answer(final)).toBe('second');
  const plain = messages(['one', null], ['two', null], ['part', 'partial_answer'], ['aside', 'commentary']);
  expect(await answer(plain)).toBe('two');
});

test('what it is given, and what is shown of what it does', async () => {
  const path = await codex(
    onTurn(`
tell('item/completed', { threadId: 'another', item: { type: 'agentMessage', id: 'x', text: 'SECRET', phase: null } });
tell('warning', { message: 'SECRET' });
tell('something/new', { words: 'SECRET' });
item('commandExecution', { command: "/bin/bash -lc 'make'", cwd: '/w', status: 'inProgress' }, 'started');
item('commandExecution', { command: "/bin/bash -lc 'make'", cwd: '/w', status: 'completed', exitCode: 0, aggregatedOutput: 'made' });
retry(502);
message('x'.repeat(300000), 'commentary');
message('done', 'final_answer');
end('completed')`),
  );
  const held = () => ({ approvalPolicy: 'never', permissions: 'p' });
  const { events } = await run(path, { model: 'asked-for', effort: 'low', held });
  const asked = await heard();
  expect(asked.map(({ method }) => method)).toEqual([
    'initialize',
    'initialized',
    'thread/start',
    'turn/start',
  ]);
  expect(asked[2]?.params).toEqual({
    ...{ approvalPolicy: 'never', permissions: 'p', ephemeral: true, model: 'asked-for' },
  });
  expect(asked[3]?.params).toMatchObject({
    ...{ threadId: 't', effort: 'low', input: [{ type: 'text', text: 'do it', text_elements: [] }] },
  });
  const items = events.flatMap((event) => (event.type === 'item.completed' ? [event.item] : []));
  expect(items.map(({ type }) => type)).toEqual([
    ...['commandExecution', 'notice', 'agentMessage', 'agentMessage'],
  ]);
  expect(items[0]).toMatchObject({ command: 'make', output: 'made', exitCode: 0, turnId: 'turn' });
  expect(items[1]).toMatchObject({ code: 'model.retry', status: 'completed', details: { httpStatus: 502 } });
  expect(items[2]).toMatchObject({ text: `${'x'.repeat(256 * 1024)}…` });
  expect(items[3]).toMatchObject({ text: 'done', phase: 'final' });
  expect(events).toContainEqual({ type: 'session.updated', patch: { model: 'their-model' } });
});

test('a thread that is refused while another Codex stands in the way is asked for again', async () => {
  const path = await codex(onTurn("message('here', null); end('completed')"));
  const text = await readFile(path, 'utf8');
  const starts = "if (method === 'thread/start') say(";
  const refuses = "{ id, error: { message: 'SECRET' } });\n  else if (method === 'thread/start') say(";
  const first = "if (method === 'thread/start' && (globalThis.asked = (globalThis.asked ?? 0) + 1) < 3) say(";
  await writeFile(path, text.replace(starts, `${first}${refuses}`));
  expect((await run(path)).outcome).toMatchObject({ status: 'completed', lastMessage: 'here' });
  expect((await heard()).filter(({ method }) => method === 'thread/start')).toHaveLength(3);
});

test('what it asks is declined, and what nobody knows is refused', async () => {
  const path = await codex(`
if (method === 'turn/start') {
  say({ id: 0, method: 'item/commandExecution/requestApproval', params: {} });
  say({ id: 1, method: 'item/permissions/requestApproval', params: {} });
  say({ id: 2, method: 'item/tool/requestUserInput', params: {} });
}
if (method === undefined && id === 2) { message('went on', null); end('completed'); }`);
  expect((await run(path)).outcome).toMatchObject({ status: 'completed', lastMessage: 'went on' });
  const answers = (await heard()).filter(({ method }) => method === undefined);
  expect(answers).toMatchObject([
    { result: { decision: 'decline' } },
    { result: { permissions: {} } },
    { error: { message: expect.any(String) } },
  ]);
});

test('Stop asks it to end its turn first', async () => {
  const path = await codex(`
if (method === 'turn/start') item('commandExecution', { command: 'sleep', cwd: '/w' }, 'started');
if (method === 'turn/interrupt') { say({ id, result: {} }); end('interrupted'); }`);
  const stop = new AbortController();
  const said = (event: EventBody) => {
    if (event.type === 'item.started') stop.abort();
  };
  const { outcome, events } = await run(path, { stop: stop.signal, said, graceMs: 20_000 });
  expect(outcome).toEqual({ status: 'interrupted' });
  expect((await heard()).at(-1)).toMatchObject({
    method: 'turn/interrupt',
    params: { threadId: 't', turnId: 'u' },
  });
  expect(events.at(-1)).toMatchObject({ type: 'item.completed', item: { status: 'interrupted' } });
});

test('one that does not listen is ended by steps, with what it has started', async () => {
  const path = await codex(`
process.on('SIGTERM', () => undefined);
lines.removeAllListeners('close');
if (method === 'turn/start') {
  const child = require('node:child_process').spawn('sleep', ['1000'], { stdio: 'ignore', detached: true });
  setInterval(() => undefined, 1000);
  item('commandExecution', { command: String(child.pid), cwd: '/w' }, 'started');
}`);
  const stop = new AbortController();
  let pid = 0;
  const said = (event: EventBody) => {
    if (event.type !== 'item.started' || event.item.type !== 'commandExecution') return;
    pid = Number(event.item.command);
    stop.abort();
  };
  const { outcome } = await run(path, { stop: stop.signal, said, graceMs: 50 });
  expect(outcome).toEqual({ status: 'interrupted' });
  expect(pid).toBeGreaterThan(0);
  expect(isGone(pid)).toBe(true);
});

test('Stop reaches one that is still starting', async () => {
  const path = await codex('');
  await writeFile(path, `#!${process.execPath}\nprocess.stdin.resume().on('end', () => process.exit(0));`);
  const stop = new AbortController();
  const over = run(path, { stop: stop.signal });
  stop.abort();
  expect((await over).outcome).toEqual({ status: 'interrupted' });
});

/** A run whose time is over with the first that is shown of it. */
async function runLate(body: string) {
  const path = await codex(onTurn(body));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const said = ({ type }: EventBody) => {
      if (type !== 'item.started') return;
      vi.advanceTimersByTime(90_000);
      vi.useRealTimers();
    };
    return (await run(path, { timeoutMs: 90_000, graceMs: 20, said })).outcome;
  } finally {
    vi.useRealTimers();
  }
}

test('what comes of it: timeout', async () => {
  const works = "item('commandExecution', { command: 'sleep', cwd: '/w' }, 'started');";
  expect(await runLate(works)).toMatchObject(failed('limit', 'turn', { seconds: 90 }));
});

test('where its provider could not be reached when its time was over, that is why', async () => {
  expect(await runLate('retry(null)')).toMatchObject(failed('transport', 'turn'));
  expect(await runLate('retry(503)')).toMatchObject(failed('service', 'turn', { httpStatus: 503 }));
});
