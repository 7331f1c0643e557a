import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Notice } from '@tscodex/shared/items';
import { emptySession, type SessionState } from '@tscodex/shared/session-state';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Hook, HookEvent } from '../../base/config/config-hooks.ts';
import type { HookFailure } from './hook-process.ts';
import { HookRunner } from './hook-runner.ts';
import { SessionHooks } from './session-hooks.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tscodex-hooks-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const at = '2026-01-01T10:00:00.000Z';
const state: SessionState = {
  ...emptySession({ id: 's1', workspaceId: 'w1', cwd: '/work/app', createdAt: at, title: 'Fix it' }),
  items: [
    { id: 'm1', type: 'agentMessage', turnId: 't1', status: 'completed', startedAt: at, text: 'Looking.' },
    { id: 'm2', type: 'agentMessage', turnId: 't1', status: 'completed', startedAt: at, text: 'Fixed.' },
    { id: 'm3', type: 'agentMessage', turnId: 't0', status: 'completed', startedAt: at, text: 'Other.' },
  ],
};
const hook = (event: HookEvent, script: string, timeoutMs = 60_000): Hook => ({
  ...{ event, command: ['/bin/sh', '-c', script], timeoutMs },
});
const started = { type: 'turn.started', turn: { id: 't1', startedAt: at } } as const;
const completed = { type: 'turn.completed', turnId: 't1', status: 'completed', durationMs: 5 } as const;

function open(hooks: Hook[], runner: Pick<HookRunner, 'run'>) {
  const told: Notice[] = [];
  const ports = {
    hooks,
    runner,
    workspaceDir: () => '/work',
    state: () => state,
    tell: (item: Notice) => told.push(item),
  };
  return { told, session: new SessionHooks(ports) };
}
const real = (env: Record<string, string> = {}) =>
  new HookRunner({ cwd: dir, marker: 'm', env: { PATH: process.env.PATH, ...env } });
const lines = async (name: string) => (await readFile(join(dir, name), 'utf8')).trim().split('\n');

test('each hook is told of its event alone, in order', async () => {
  const runner = real();
  const { told, session } = open(
    [
      hook('turn.started', 'cat >> log'),
      hook('turn.completed', 'sleep 0.1; cat >> log'),
      hook('session.closed', 'cat >> log'),
    ],
    runner,
  );
  session.see(started);
  session.see({ type: 'background.updated', commands: [] });
  session.see(completed);
  session.closed('shutdown');
  await runner.finish();
  const common = {
    ...{ at: expect.any(String), session_id: 's1', workspace: { id: 'w1', directory: '/work' } },
    ...{ cwd: '/work/app', title: 'Fix it' },
  };
  expect((await lines('log')).map((line) => JSON.parse(line))).toEqual([
    { event: 'turn.started', ...common, turn_id: 't1' },
    {
      ...{ event: 'turn.completed', ...common, turn_id: 't1', status: 'completed', duration_ms: 5 },
      last_message: 'Fixed.',
    },
    { event: 'session.closed', ...common, reason: 'shutdown' },
  ]);
  expect(told).toEqual([]);
});

test('an open ask is told with what it is about, a failed turn with why', async () => {
  const inputs: { ask?: unknown; error?: unknown }[] = [];
  const run: HookRunner['run'] = (_id, _hook, input) => inputs.push(JSON.parse(input)) > 0;
  const { session } = open([hook('ask.opened', ''), hook('turn.completed', '')], { run });
  const approval = { what: 'command' as const, command: 'rm x', reason: 'because' };
  session.see({
    type: 'ask.opened',
    ask: { id: 'a1', sessionId: 's1', turnId: 't1', openedAt: at, kind: 'approval', approval },
  });
  const error = { code: 'model.failed', message: 'x'.repeat(100_000) };
  session.see({ ...completed, status: 'failed', error });
  expect(inputs[0]?.ask).toEqual({
    id: 'a1',
    kind: 'approval',
    what: 'command',
    command: 'rm x',
    reason: 'because',
  });
  expect(JSON.stringify(inputs[1]?.error).length).toBeLessThan(17_000);
});

test('the same failure is told once, until the hook has worked again', () => {
  const ends: ((failure: HookFailure | null) => void)[] = [];
  const run: HookRunner['run'] = (_id, _hook, _input, done) => ends.push(done) > 0;
  const { told, session } = open([hook('turn.started', 'x')], { run });
  const failure = { words: 'ended with exit code 3', exitCode: 3, output: 'why' };
  for (const end of [failure, failure, null, failure]) {
    session.see(started);
    ends.at(-1)?.(end);
  }
  expect(told.map(({ level, code, text, details }) => ({ level, code, text, details }))).toEqual(
    Array(2).fill({
      ...{ level: 'warning', code: 'hook.failed' },
      text: 'The hook /bin/sh for turn.started ended with exit code 3.',
      details: { event: 'turn.started', command: '/bin/sh', exitCode: 3, output: 'why' },
    }),
  );
});

test('a hook that hangs holds up neither the session nor those of others, and what does not keep up is told once', async () => {
  const runner = real();
  const { told, session } = open(
    [hook('turn.started', 'sleep 600'), hook('session.closed', 'true', 300)],
    runner,
  );
  for (let n = 0; n < 100; n++) session.see(started);
  expect(told.map(({ code }) => code)).toEqual(['hook.dropped']);
  let heard: HookFailure | null | undefined;
  runner.run('other', hook('turn.started', 'true'), '', (failure) => {
    heard = failure;
  });
  while (heard === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(heard).toBeNull();
  // no longer than the farewell of a session may take
  runner.run('other', hook('session.closed', 'true', 300), '', () => undefined);
  await runner.finish();
  expect(told.map(({ code }) => code)).toEqual(['hook.dropped', 'hook.failed']);
});

test('the end of the server waits ten seconds at the most for a hook that takes its time', async () => {
  const runner = real();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    let heard: HookFailure | null = null;
    runner.run('s1', hook('session.closed', 'exec sleep 600', 600_000), '', (failure) => {
      heard = failure;
    });
    const finished = runner.finish();
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    await finished;
    expect(heard).toMatchObject({ words: 'was ended with the server' });
  } finally {
    vi.useRealTimers();
  }
});

test('hooks inherit no secrets of the server or of providers', async () => {
  const runner = real({ TSCODEX_PASSWORD: 'a', OPENAI_API_KEY: 'b', DISPLAY: ':0' });
  const { session } = open([hook('turn.started', 'env > env')], runner);
  session.see(started);
  runner.run('s1', hook('session.closed', 'true'), '', () => undefined);
  await runner.finish();
  const names = (await lines('env')).map((line) => line.split('=')[0]);
  expect(names).toContain('DISPLAY');
  expect(await lines('env')).toContain('TSCODEX_EXEC=m');
  expect(names).not.toContain('TSCODEX_PASSWORD');
  expect(names).not.toContain('OPENAI_API_KEY');
});
