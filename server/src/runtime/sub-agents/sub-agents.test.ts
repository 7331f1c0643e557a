import { emptySession } from '@tscodex/shared/session-state';
import { expect, test, vi } from 'vitest';
import { Failure } from '../../base/errors.ts';
import { userText } from '../../base/response-items.ts';
import type { Session, Viewer } from '../session-directory.ts';
import { UNTOUCHED } from '../session-rows.ts';
import type { AgentRow } from './agent-rows.ts';
import type { Family } from './family.ts';
import { forkedHistory } from './forked-history.ts';
import { nickname } from './nicknames.ts';
import { SubAgents } from './sub-agents.ts';

const AT = '2026-01-01T00:00:00.000Z';
const row = (id: string, patch: Partial<AgentRow> = {}): AgentRow => ({
  ...UNTOUCHED,
  ...{ id, workspaceId: 'w', title: id, cwd: '/w', rolloutPath: '/r', backend: 'native', model: 'm' },
  ...{ effort: null, profile: null, createdAt: AT, lastActivityAt: AT, parentId: 'p' },
  ...{ nickname: `Nick ${id}`, closed: false, toldTurn: null, ...patch },
});

/** A session that works until `end` is called. */
function working(id: string) {
  const about = { id, workspaceId: 'w', cwd: '/w', createdAt: AT };
  let state = {
    ...emptySession(about),
    turn: { id: `${id}-turn`, startedAt: AT } as { id: string; startedAt: string } | null,
  };
  let lastTurn: { id: string; status: 'completed'; at: string } | null = null;
  const viewers = new Set<Viewer>();
  const session = {
    id,
    snapshot: () => ({ epoch: 'e', seq: 0, state }),
    summary: () => ({ asks: [], lastTurn }),
    subscribe(viewer: Viewer) {
      viewers.add(viewer);
      viewer.snapshot({ epoch: 'e', seq: 0, state });
      return () => viewers.delete(viewer);
    },
  } as unknown as Session;
  const end = () => {
    state = { ...state, turn: null };
    lastTurn = { id: `${id}-turn`, status: 'completed', at: AT };
    const event = {
      type: 'turn.completed',
      seq: 1,
      turnId: `${id}-turn`,
      status: 'completed',
      durationMs: 1,
    } as const;
    for (const viewer of viewers) viewer.events('e', [event]);
  };
  return { session, end };
}

async function scene(...rows: AgentRow[]) {
  return sceneWith({}, ...rows);
}

async function sceneWith(family: Partial<Family>, ...rows: AgentRow[]) {
  const sessions = new Map(rows.filter(({ id }) => id !== 'broken').map(({ id }) => [id, working(id)]));
  const told: string[] = [];
  const woken: { turnId: string; found: boolean }[] = [];
  const find = vi.fn(async (id: string) => {
    const found = sessions.get(id);
    if (!found) throw new Failure('unavailable', 'rollout.unreadable', `cannot read ${id}`);
    return found.session;
  });
  const none = () => Promise.reject(new Error('not here'));
  const agents = new SubAgents({
    family: {
      ...{ agents: () => rows, find, create: none, close: none, reopen: none },
      told: async (id, turnId) => void told.push(`${id} ${turnId}`),
      ...family,
    },
    most: 2,
    state: () => ({ items: [], model: 'm', effort: null }),
    wakes: { agentEnded: ({ turnId }, found) => void woken.push({ turnId, found }) },
    used: () => undefined,
    emit: () => undefined,
    changed: () => undefined,
    fault: (what, error) => expect.fail(`${what}: ${error}`),
  });
  agents.start();
  const steer: (() => void)[] = [];
  const stop = new AbortController();
  const wait = (ids: string[], ms: number) =>
    agents.wait(ids, {
      ...{ ms, signal: stop.signal, steerWaiting: () => false },
      onSteer: (listener) => {
        steer.push(listener);
        return () => steer.splice(steer.indexOf(listener), 1);
      },
    });
  return { agents, sessions, told, woken, wait, steer, stop };
}

test('a wait ends when the first has ended, tells how all stand, and what it tells is told', async () => {
  const { wait, sessions, told, woken, steer } = await scene(row('a'), row('b'));
  const waiting = wait(['a', 'b'], 60_000);
  await vi.waitFor(() => expect(steer).toHaveLength(1));
  sessions.get('b')?.end();
  expect(await waiting).toEqual({ status: { a: 'running', b: { completed: null } }, timedOut: false });
  expect(told).toEqual(['b b-turn']);
  expect(woken).toEqual([{ turnId: 'b-turn', found: false }]);
  expect(steer).toEqual([]);
});

test('a wait that lasts too long tells nothing; a steer ends it with how they stand, a stop with its reason', async () => {
  const { wait, steer, stop } = await scene(row('a'));
  expect(await wait(['a'], 1)).toEqual({ status: {}, timedOut: true });
  const steered = wait(['a'], 60_000);
  await vi.waitFor(() => expect(steer).toHaveLength(1));
  steer[0]?.();
  expect(await steered).toEqual({ status: { a: 'running' }, timedOut: false });
  const stopped = wait(['a'], 60_000);
  await vi.waitFor(() => expect(steer).toHaveLength(1));
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
});

test('one that is closed, unknown or cannot be read is not waited for', async () => {
  const { agents, wait } = await scene(row('a', { closed: true }));
  expect(await wait(['a', 'x'], 60_000)).toEqual({
    ...{ status: { a: 'shutdown', x: 'not_found' }, timedOut: false },
  });
  expect(await agents.close('a')).toBe('shutdown');
  const broken = await scene(row('broken'));
  expect((await broken.wait(['broken'], 60_000)).status).toEqual({
    broken: { errored: 'cannot read broken' },
  });
});

test('one that is made while its session leaves memory is closed, and never begins', async () => {
  const { session } = working('new');
  const submit = vi.fn();
  const closed: string[] = [];
  let made: (session: Session) => void = () => undefined;
  const making = new Promise<Session>((resolve) => {
    made = resolve;
  });
  const create = vi.fn(() => making);
  const { agents } = await sceneWith({ create, close: async (id) => void closed.push(id) });
  const about = { prompt: 'dig', codex: false, history: null, model: undefined, effort: undefined };
  const spawned = agents.spawn(about, { itemId: 'i', turnId: 't' });
  await vi.waitFor(() => expect(create).toHaveBeenCalledOnce());
  agents.leave();
  made({ ...session, submit });
  await expect(spawned).rejects.toMatchObject({ code: 'session.closed' });
  expect(closed).toEqual(['new']);
  expect(submit).not.toHaveBeenCalled();
});

test('names are given once, then numbered', () => {
  const taken: string[] = [];
  for (let n = 0; n < 200; n++) taken.push(nickname(taken, n % 2 ? 0.999 : 0));
  expect(new Set(taken).size).toBe(200);
  expect(taken.at(-1)).toMatch(/ \d$/);
});

test('a conversation that another agent begins with has no call without an answer, and no reasoning that led to one', () => {
  const call = { type: 'function_call', call_id: 'c', name: 'spawn_agent', arguments: '{}' } as const;
  const done = { ...call, call_id: 'd' };
  const answer = { type: 'function_call_output', call_id: 'd', output: 'ok' } as const;
  const thought = { type: 'reasoning', summary: [] } as const;
  const history = [
    userText('go'),
    { ...thought, summary: [] },
    done,
    answer,
    { ...thought, summary: [] },
    call,
  ];
  expect(forkedHistory(history)).toEqual(history.slice(0, 4));
});
