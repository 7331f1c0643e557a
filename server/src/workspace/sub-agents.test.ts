import { readFile } from 'node:fs/promises';
import type { Item, SubAgent } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ResponseItem, textOf } from '../base/response-items.ts';
import { calls, hangsAfter, type ScriptedAnswer, says } from '../model/scripted-model.ts';
import type { SessionRuntime } from '../runtime/runtime.ts';
import { findSession } from '../runtime/session-rows.ts';
import { agentsOf, closeAgents } from '../runtime/sub-agents/agent-rows.ts';
import { message, openTestBox, type TestBox, Watcher } from '../runtime/test-session.ts';
import { AgentsModel } from './agents-model.test-support.ts';
import { openListPlace } from './list-place.test-support.ts';
import { WorkspaceManager } from './manager.ts';
import { serverServices } from './server-services.test-support.ts';

const FREE = {
  permissions: { approval: 'never', sandbox: 'danger-full-access', network: true },
  unattended: true,
} as const;

let box: TestBox;
const open: WorkspaceManager[] = [];
beforeEach(async () => {
  box = await openTestBox(FREE);
});
afterEach(async () => {
  for (const manager of open.splice(0)) await manager.close();
  expect(box.faults).toEqual([]);
  await box.remove();
});

/** A server over the same files each time; it awaits `loading` before it loads a session. */
async function start(
  scripts: Record<string, ScriptedAnswer[]>,
  loading: () => Promise<void> = async () => undefined,
) {
  const workspaces = [{ id: 'w', name: 'Work', work_dir: 'work' }];
  const model = new AgentsModel(scripts);
  const place = await openListPlace(box, { workspaces });
  const services = serverServices(box, model);
  const { of } = services.configs;
  const configs: typeof services.configs = {
    ...services.configs,
    of: async (about) => {
      await loading();
      return of(about);
    },
  };
  const manager = new WorkspaceManager(place, { ...services, configs });
  open.push(manager);
  const session = async (id: string) => (await manager.find(id)) as SessionRuntime;
  const stop = async () => {
    open.splice(open.indexOf(manager), 1);
    await manager.close();
  };
  const create = async () => {
    const made = (await manager.createSession('w', { model: 'scripted-1' })) as SessionRuntime;
    return { id: made.id, session: made, watcher: new Watcher(made) };
  };
  return { manager, model, session, stop, create };
}

const spawn = (message: string, more: object = {}) => calls('spawn_agent', { message, ...more });
const agentItems = (items: readonly Item[]) =>
  items.filter((item): item is SubAgent => item.type === 'subAgent');
const only = (parentId: string) => {
  const [agent] = agentsOf(box.db, parentId);
  if (!agent) throw new Error('no agent was started');
  return agent;
};
/** What a call of this name has brought, as the model reads it. */
function output(input: readonly ResponseItem[], name: string): string {
  const call = input.findLast((item) => item.type === 'function_call' && item.name === name);
  const id = call?.type === 'function_call' ? call.call_id : '';
  const found = input.find((item) => item.type === 'function_call_output' && item.call_id === id);
  return found?.type === 'function_call_output' ? String(found.output) : '';
}
const texts = (input: readonly ResponseItem[]) =>
  input.flatMap((item) => (item.type === 'message' && item.role === 'user' ? [textOf(item)] : []));
/** A call with the id of the agent that the model has started first. */
const about =
  (name: string, args: (id: string) => object): ScriptedAnswer =>
  (request, signal) => {
    const id = /"agent_id\\":\\"([^"\\]+)/.exec(JSON.stringify(request.input))?.[1] ?? '';
    return says('', calls(name, args(id)))(request, signal);
  };
const idle = ({ status, turn }: SessionState) => status === 'idle' && turn === null;
const completed = (state: SessionState) =>
  agentItems(state.items).some((item) => item.agentStatus === 'completed');

test('an agent works beside the one that has started it, which waits for it and is told', async () => {
  const { manager, model, create, session } = await start({
    go: [
      says('', spawn('count the files')),
      about('wait_agent', (id) => ({ ids: [id] })),
      says('There are three.'),
    ],
    'count the files': [says('Three files.')],
  });
  const parent = await create();
  await parent.session.submit(message('go'), null);
  const state = await parent.watcher.until((now) => idle(now) && completed(now));
  const { id, nickname } = only(parent.id);
  expect(JSON.parse(output(model.of('go')[1]?.input ?? [], 'spawn_agent'))).toEqual({
    agent_id: id,
    nickname,
  });
  const last = model.of('go')[2]?.input ?? [];
  expect(JSON.parse(output(last, 'wait_agent'))).toEqual({
    status: { [id]: { completed: 'Three files.' } },
    timed_out: false,
  });
  expect(texts(last).at(-1)).toBe(
    `<subagent_notification>\n${JSON.stringify({ agent_id: id, status: { completed: 'Three files.' } })}\n</subagent_notification>`,
  );
  expect(agentItems(state.items)).toEqual([
    expect.objectContaining({
      ...{ agentId: id, nickname, prompt: 'count the files', agentStatus: 'completed' },
      ...{ status: 'completed', message: 'Three files.' },
    }),
  ]);
  expect(state.agents).toEqual([{ id, nickname, status: 'completed', asks: 0 }]);
  // it is a session of its own, and no tab
  const child = (await session(id)).snapshot().state;
  expect(child).toMatchObject({ parentId: parent.id, title: nickname, cwd: box.workDir });
  expect(manager.sessions('w').map((one) => one.id)).toEqual([parent.id]);
  // what it used is in the parent's total: four requests of fifteen tokens
  expect(state.usage?.total.totalTokens).toBe(60);
  // nothing more is told of what was waited for
  expect(model.of('go')).toHaveLength(3);
});

test('the request of an agent names it, and has its own cache key and tools', async () => {
  const { model, create } = await start({
    go: [says('', spawn('look', { model: 'scripted-2', reasoning_effort: 'low' })), says('It looks.')],
    look: [says('Seen.')],
  });
  const parent = await create();
  await parent.session.submit(message('go'), null);
  await parent.watcher.until(completed);
  const [asked] = model.of('look');
  expect(asked).toMatchObject({ subAgent: true, cacheKey: only(parent.id).id, model: 'scripted-2' });
  expect(asked?.tools.map(({ name }) => name)).not.toContain('spawn_agent');
  expect(model.of('go')[0]?.subAgent).toBeUndefined();
  // Codex leaves it out of its lists
  const [meta = ''] = (await readFile(only(parent.id).rolloutPath, 'utf8')).split('\n');
  expect(JSON.parse(meta).payload.source).toEqual({
    subagent: {
      thread_spawn: {
        ...{ parent_thread_id: parent.id, depth: 1 },
        ...{ agent_nickname: only(parent.id).nickname, agent_role: null },
      },
    },
  });
});

test('the end of an agent that nobody waits for wakes the idle one, once', async () => {
  let finish: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { model, create } = await start({
    go: [says('', spawn('dig')), says('It digs.'), says('It has dug.')],
    dig: [
      async function* (request, signal) {
        await held;
        yield* says('Done <b>here</b>.')(request, signal);
      },
    ],
  });
  const { id, session, watcher } = await create();
  await session.submit(message('go'), null);
  await watcher.until(({ status, agents }) => status === 'sleeping' && agents[0]?.status === 'running');
  finish();
  const state = await watcher.until(
    (now) =>
      idle(now) && now.items.some((item) => item.type === 'agentMessage' && item.text === 'It has dug.'),
  );
  const agent = only(id);
  expect(texts(model.of('go')[2]?.input ?? []).at(-1)).toMatch(
    new RegExp(
      `^<subagent_notification>\n{"agent_id":"${agent.id}","nickname":"${agent.nickname}",.*u003cb>here`,
    ),
  );
  expect(state.items).toContainEqual(
    expect.objectContaining({ type: 'notice', code: 'wake.agent', text: `${agent.nickname} has ended.` }),
  );
  await vi.waitFor(() => expect(only(id).toldTurn).toBe(only(id).lastTurn?.id));
  expect(model.of('go')).toHaveLength(3);
});

test('no more agents than may be are open at a time; one that is closed makes room, and can be opened again', async () => {
  await box.remove();
  box = await openTestBox({ ...FREE, agents: { maxThreads: 1, maxDepth: 1 } });
  const { model, create } = await start({
    go: [
      says('', spawn('one')),
      about('wait_agent', (id) => ({ ids: [id] })),
      says('', spawn('two')),
      about('close_agent', (id) => ({ id })),
      about('resume_agent', (id) => ({ id })),
      about('send_input', (id) => ({ id, message: 'once more' })),
      about('wait_agent', (id) => ({ ids: [id, 'nobody'] })),
      says('Done.'),
    ],
    one: [says('First.'), says('Again.')],
  });
  const { id, session, watcher } = await create();
  await session.submit(message('go'), null);
  const state = await watcher.until(
    (now) => idle(now) && now.items.some((item) => item.type === 'agentMessage' && item.text === 'Done.'),
  );
  const agent = only(id);
  const seen = (n: number, name: string) => output(model.of('go')[n]?.input ?? [], name);
  expect(seen(3, 'spawn_agent')).toBe(
    'spawn_agent: 1 agents are open, and no more may be (agents.max_threads in config.toml); ' +
      `close one that has ended with close_agent first: ${agent.nickname} (${agent.id})`,
  );
  const input = model.of('go').at(-1)?.input ?? [];
  expect(JSON.parse(output(input, 'close_agent'))).toEqual({ previous_status: { completed: 'First.' } });
  expect(JSON.parse(output(input, 'resume_agent'))).toEqual({ status: 'pending_init' });
  expect(JSON.parse(output(input, 'wait_agent')).status.nobody).toBe('not_found');
  expect(agentsOf(box.db, id)).toHaveLength(1);
  expect(state.status).toBe('idle');
});

test('what cannot be done is said in words', async () => {
  const { model, create } = await start({
    go: [
      says(
        '',
        calls('spawn_agent', {}),
        calls('send_input', { id: 'x', message: 'hi' }),
        calls('wait_agent', { ids: [] }),
        calls('close_agent', { id: 'x' }),
        calls('resume_agent', { id: 'x' }),
      ),
      says('', spawn('work')),
      about('close_agent', (id) => ({ id })),
      about('send_input', (id) => ({ id, message: 'hi' })),
      about('close_agent', (id) => ({ id })),
      says('Well.'),
    ],
    work: [hangsAfter('Working')],
  });
  const { id, session, watcher } = await create();
  await session.submit(message('go'), null);
  await watcher.until((now) => idle(now) && model.of('go').length === 6);
  const first = model.of('go')[1]?.input ?? [];
  expect(output(first, 'spawn_agent')).toBe('spawn_agent: Provide one of: message or items');
  expect(output(first, 'send_input')).toBe('send_input: unknown agent: x');
  expect(output(first, 'wait_agent')).toContain('name at least one agent');
  expect(output(first, 'close_agent')).toBe('{"previous_status":"not_found"}');
  expect(output(first, 'resume_agent')).toBe('{"status":"not_found"}');
  const closed = model.of('go')[4]?.input ?? [];
  expect(output(closed, 'close_agent')).toMatch(/^\{"previous_status":"(running|pending_init)"\}$/);
  expect(output(closed, 'send_input')).toBe(`send_input: agent is shutdown: ${only(id).id}`);
  expect(output(model.of('go')[5]?.input ?? [], 'close_agent')).toBe('{"previous_status":"shutdown"}');
});

test('one that begins with the conversation has seen it, without the call that starts it', async () => {
  const { model, create } = await start({
    go: [says('I shall ask.', spawn('go on', { fork_context: true })), says('Asked.')],
  });
  const { id, session, watcher } = await create();
  await session.submit(message('go'), null);
  await watcher.until(completed);
  const forked = model.requests.find((request) => request.cacheKey === only(id).id)?.input ?? [];
  expect(texts(forked).slice(-2)).toEqual(['go', 'go on']);
  expect(forked.some((item) => item.type === 'function_call')).toBe(false);
});

test('a stop stops the agents too, and nothing of them wakes anybody until somebody writes', async () => {
  const { model, create, session } = await start({
    go: [says('', spawn('dig')), hangsAfter('Waiting'), says('Told.')],
    dig: [hangsAfter('Digging')],
  });
  const parent = await create();
  await parent.session.submit(message('go'), null);
  await parent.watcher.until(
    ({ items, agents }) =>
      agents[0]?.status === 'running' &&
      items.some((item) => item.type === 'agentMessage' && item.text === 'Waiting'),
  );
  await parent.session.interrupt('Mei');
  const state = await parent.watcher.until(
    ({ turn, agents }) => turn === null && agents[0]?.status === 'failed',
  );
  expect(state).toMatchObject({ status: 'idle', held: true });
  const child = await session(only(parent.id).id);
  expect(child.snapshot().state.items).toContainEqual(
    expect.objectContaining({ code: 'turn.stopped', text: 'Stopped by Mei.' }),
  );
  await parent.session.submit(message('and?'), null);
  await parent.watcher.until((now) => idle(now) && model.of('go').length === 3);
  expect(texts(model.of('go')[2]?.input ?? []).slice(-2)).toEqual([
    expect.stringContaining('"status":{"errored":"TurnInterrupted: turn interrupted"}'),
    'and?',
  ]);
});

test('after a restart an agent is found as it was, and one that was cut is told to the one that slept', async () => {
  const before = await start({
    go: [says('', spawn('dig'), spawn('count')), says('They work.')],
    dig: [hangsAfter('Digging')],
    count: [says('Three.')],
  });
  const parent = await before.create();
  await parent.session.submit(message('go'), null);
  await parent.watcher.until(
    ({ status, agents }) =>
      status === 'sleeping' && agents[0]?.status === 'running' && agents[1]?.status === 'completed',
  );
  await before.stop();

  const after = await start({ go: [says('I see.'), says('I see that as well.')] });
  await after.manager.resumeUnfinished();
  const watcher = new Watcher(await after.session(parent.id));
  const state = await watcher.until(
    (now) =>
      idle(now) && now.items.some((item) => item.type === 'notice' && item.code === 'wake.agentFailed'),
  );
  expect(agentItems(state.items).map(({ agentStatus }) => agentStatus)).toEqual(['failed', 'completed']);
  expect(state.agents.map(({ status }) => status)).toEqual(['failed', 'completed']);
  expect(JSON.stringify(after.model.requests.flatMap(({ input }) => texts(input)))).toContain(
    'TurnInterrupted: turn interrupted by a restart of the server',
  );
  await vi.waitFor(() =>
    expect(agentsOf(box.db, parent.id).every(({ lastTurn, toldTurn }) => lastTurn?.id === toldTurn)).toBe(
      true,
    ),
  );
  await after.stop();

  const again = await start({});
  await again.manager.resumeUnfinished();
  const seen = new Watcher(await again.session(parent.id));
  await seen.until(({ agents }) => agents.length === 2);
  expect(again.model.requests).toEqual([]);
});

test('to close a session closes its agents; they can be read when it is open again, and are still closed', async () => {
  const { manager, session, create } = await start({
    go: [says('', spawn('dig')), says('It digs.')],
    dig: [hangsAfter('Digging')],
  });
  const parent = await create();
  await parent.session.submit(message('go'), null);
  await parent.watcher.until(
    ({ status, agents }) => status === 'sleeping' && agents[0]?.status === 'running',
  );
  const { id } = only(parent.id);
  await manager.closeSession(parent.id);
  await expect(manager.find(id)).rejects.toMatchObject({ code: 'session.unknown' });
  expect(manager.closedSessions('w').map((one) => one.id)).toEqual([parent.id]);
  await expect(manager.reopenSession('w', id)).rejects.toMatchObject({ code: 'session.unknown' });

  await manager.reopenSession('w', parent.id);
  const child = await session(id);
  expect(child.snapshot().state.items.map(({ type }) => type)).toContain('userMessage');
  await expect(child.submit(message('hello?'), null)).rejects.toMatchObject({ code: 'agent.closed' });
  expect((await session(parent.id)).snapshot().state.agents).toEqual([]);
});

test('an agent that is being started when its session is closed is closed with it, and never works', async () => {
  let loading: () => Promise<void> = async () => undefined;
  const { manager, model, session, create } = await start(
    { go: [says('', spawn('dig')), says('It digs.')], dig: [hangsAfter('Digging')] },
    () => loading(),
  );
  const parent = await create();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  loading = () => held;
  await parent.session.submit(message('go'), null);
  await vi.waitFor(() => expect(agentsOf(box.db, parent.id)).toHaveLength(1));
  const closing = manager.closeSession(parent.id);
  await new Promise(setImmediate);
  release();
  await closing;
  const { id, closed } = only(parent.id);
  expect(closed).toBe(true);
  expect(findSession(box.db, id)).toBeNull();

  await manager.reopenSession('w', parent.id);
  expect((await session(id)).snapshot().state).toMatchObject({ status: 'idle', items: [], waiting: [] });
  expect(model.of('dig')).toEqual([]);
});

test('to read an agent that was closed in the middle of its turn ends that turn', async () => {
  await box.remove();
  box = await openTestBox({
    permissions: { approval: 'untrusted', sandbox: 'workspace-write', network: false },
  });
  const before = await start({
    go: [says('', spawn('run')), says('It runs.')],
    run: [says('', calls('exec_command', { cmd: 'touch a' }))],
  });
  const parent = await before.create();
  await parent.session.submit(message('go'), null);
  await parent.watcher.until(({ agents }) => agents[0]?.asks === 1);
  const { id } = only(parent.id);
  await before.stop();
  // as where the server goes down right after the agent was marked as closed
  await closeAgents(box.db, [id]);

  const after = await start({});
  const { state } = (await after.session(id)).snapshot();
  expect(state).toMatchObject({ status: 'idle', turn: null, asks: [] });
  expect(state.items).toContainEqual(expect.objectContaining({ code: 'turn.interrupted' }));
  expect(after.model.of('run')).toEqual([]);
});

test('a person can end one agent; the one that has started it is told', async () => {
  const { manager, create, model } = await start({
    go: [says('', spawn('dig')), says('It digs.'), says('A pity.')],
    dig: [hangsAfter('Digging')],
  });
  const { id, session, watcher } = await create();
  await session.submit(message('go'), null);
  await watcher.until(({ status, agents }) => status === 'sleeping' && agents[0]?.status === 'running');
  await vi.waitFor(() => expect(model.of('dig')).toHaveLength(1));
  await manager.closeSession(only(id).id);
  const state = await watcher.until(
    ({ agents, items, turn }) =>
      agents.length === 0 &&
      turn === null &&
      items.some((item) => item.type === 'agentMessage' && item.text === 'A pity.'),
  );
  expect(agentItems(state.items)[0]?.agentStatus).toBe('closed');
  expect(findSession(box.db, only(id).id)).not.toBeNull();
  expect(texts(model.of('go')[2]?.input ?? []).at(-1)).toContain('TurnInterrupted');
});

test('an agent may what its session may, at once, and asks people in its name', async () => {
  await box.remove();
  box = await openTestBox({
    permissions: { approval: 'untrusted', sandbox: 'workspace-write', network: false },
  });
  const run = (cmd: string) => calls('exec_command', { cmd });
  const { manager, session, create } = await start({
    go: [says('', spawn('run')), says('It runs.'), says('It ran.')],
    run: [says('', run('touch a')), says('', run('touch b')), says('', run('touch a')), says('All run.')],
  });
  const parent = await create();
  await parent.session.submit(message('go'), null);
  await parent.watcher.until(({ agents }) => agents[0]?.asks === 1);
  const { id, nickname } = only(parent.id);
  const brief = manager.sessions('w')[0]?.asks[0];
  expect(brief).toMatchObject({ text: 'touch a', agent: { id, nickname } });
  const child = await session(id);
  await child.answer(brief?.id ?? '', { choice: 'session' }, 'Mei');
  await parent.watcher.until(
    ({ agents }) => agents[0]?.asks === 1 && child.summary().asks[0]?.text === 'touch b',
  );

  // from the next command on nobody is asked
  await expect(child.change({ approval: 'never' }, 'Mei')).rejects.toMatchObject({
    code: 'permissions.inherited',
  });
  await parent.session.change({ approval: 'on-request' }, 'Mei');
  expect(child.snapshot().state.approvalPolicy).toBe('on-request');
  await child.answer(child.summary().asks[0]?.id ?? '', { choice: 'once' }, 'Mei');
  await parent.watcher.until((now) => idle(now) && completed(now));
  expect(manager.sessions('w')[0]?.asks).toEqual([]);

  // as a person goes on with it alone it is theirs, held as it was
  const fork = await manager.forkSession(id);
  expect(fork.snapshot().state).toMatchObject({
    ...{ parentId: null, forkedFrom: id, approvalPolicy: 'on-request' },
    ownPermissions: { approval: 'on-request' },
  });
  expect(await fork.change({ approval: 'never' }, 'Mei')).toBeUndefined();
  expect(child.snapshot().state.approvalPolicy).toBe('on-request');
});

test('what people have allowed for the session holds for its agents, until they take it back', async () => {
  await box.remove();
  box = await openTestBox({
    permissions: { approval: 'untrusted', sandbox: 'workspace-write', network: false },
  });
  const run = calls('exec_command', { cmd: 'touch a' });
  const { create } = await start({
    go: [says('', run), says('', spawn('run')), says('It runs.'), says('It ran.')],
    run: [says('', calls('exec_command', { cmd: 'touch a' })), says('All run.')],
  });
  const { id, session, watcher } = await create();
  await session.submit(message('go'), null);
  const { asks } = await watcher.until((now) => now.asks.length === 1);
  await session.answer(asks[0]?.id ?? '', { choice: 'session' }, 'Mei');
  await watcher.until((now) => idle(now) && completed(now));
  const ran = (await readFile(only(id).rolloutPath, 'utf8'))
    .split('\n')
    .filter((line) => line.includes('"how":"session"'));
  expect(ran.length).toBeGreaterThan(0);
  const asked = box.db.read('SELECT 1 FROM asks WHERE session_id = ?', only(id).id);
  expect(asked).toEqual([]);
});

test('a crash in the middle of all: each is found again, and nothing runs by itself', async () => {
  const before = await start({
    go: [says('', spawn('dig')), hangsAfter('Thinking')],
    dig: [hangsAfter('Digging')],
  });
  const parent = await before.create();
  await parent.session.submit(message('go'), null);
  await parent.watcher.until(
    ({ items, agents }) =>
      agents[0]?.status === 'running' &&
      items.some((item) => item.type === 'agentMessage' && item.text === 'Thinking'),
  );
  await vi.waitFor(() => expect(before.model.of('dig')).toHaveLength(1));
  await before.stop();

  const after = await start({ go: [says('Going on.')] });
  await after.manager.resumeUnfinished();
  const session = await after.session(parent.id);
  const watcher = new Watcher(session);
  const state = await watcher.until(({ agents }) => agents[0]?.status === 'failed');
  expect(state).toMatchObject({ status: 'idle', canContinue: true });
  expect(after.model.requests).toEqual([]);
  await session.submit(message('go on'), null);
  await watcher.until((now) => idle(now) && after.model.requests.length === 1);
  expect(texts(after.model.requests[0]?.input ?? []).slice(-2)).toEqual([
    expect.stringContaining('<subagent_notification>'),
    'go on',
  ]);
});
