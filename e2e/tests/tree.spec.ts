/** A tree of forks and of agents that agents have started, before and after the server is killed in the middle of it. */
import { expect } from '@playwright/test';
import type { SubAgent } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import { test } from '../support/browser-stage.ts';
import { answered, said } from '../support/conversation.ts';
import type { ModelRequest, Step } from '../support/fake-model.ts';
import { look } from '../support/look.ts';
import { askedLast, follow, never, spawn } from '../support/scripts.ts';
import type { RunningServer } from '../support/server.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

const agentItems = ({ items }: SessionState) =>
  items.filter((item): item is SubAgent => item.type === 'subAgent');

/** The ids of the agents that a conversation has started, in order. */
const started = ({ input }: ModelRequest) =>
  input.flatMap(({ type, output }) =>
    type === 'function_call_output' ? (/"agent_id":"([^"]+)/.exec(String(output))?.[1] ?? []) : [],
  );

/** How often a model was told that an agent has ended. */
const told = (request: ModelRequest | undefined, agent: string) =>
  (request?.input ?? []).filter(
    ({ role, content }) =>
      role === 'user' &&
      JSON.stringify(content).includes(`subagent_notification>\\n{\\"agent_id\\":\\"${agent}`),
  ).length;

async function tree(server: RunningServer) {
  const sessions = (await server.workspaces())[0]?.sessions ?? [];
  return Promise.all(
    sessions.map(async ({ id, title }) => {
      const state = await server.state(id);
      // nothing is shown at work that is not its own
      const working = agentItems(state).filter(({ status }) => status === 'inProgress');
      expect(state.agents).toEqual(
        expect.arrayContaining(
          working.map(({ agentId, agentStatus }) =>
            expect.objectContaining({ id: agentId, status: agentStatus }),
          ),
        ),
      );
      const { forkedFrom, agents } = state;
      const below = await Promise.all(
        agents.map(async (agent) => {
          const child = await server.state(agent.id);
          return [agent.id, agent.nickname, child.parentId, said(child)];
        }),
      );
      return { id, title, forkedFrom, below, said: said(state) };
    }),
  );
}

test('forks and agents are there after kill -9 as they were, and each goes on or can', async ({
  page,
  start,
  model,
}, info) => {
  const send = (id: string | undefined, message: string): Step => ({
    call: 'send_input',
    args: { id, message },
  });
  const waitFor = (id: string | undefined): Step => ({ call: 'wait_agent', args: { ids: [id] } });
  follow(
    model,
    {
      'look into it': [
        [spawn('dig'), spawn('count')],
        [{ text: 'They work.' }],
        (request) => [{ call: 'close_agent', args: { id: started(request)[1] } }],
        [{ text: 'It has counted.' }],
        // after the restart
        (request) => [
          send(started(request)[0], 'dig on'),
          { call: 'resume_agent', args: { id: started(request)[1] } },
        ],
        (request) => [send(started(request)[1], 'count again')],
        (request) => [waitFor(started(request)[0])],
        (request) => [waitFor(started(request)[1])],
        [{ text: 'Both are done.' }],
      ],
      dig: [[{ text: 'Digging' }, never]],
      count: [[{ text: 'Three.' }]],
      'dig on': [[{ text: 'Dug.' }]],
      'count again': [[{ text: 'Four.' }]],
      'in the fork': [[{ text: 'In the fork.' }]],
      'make it': [
        [spawn('touch it'), spawn('name it')],
        [{ text: 'They make it.' }],
        [{ text: 'It has a name.' }],
      ],
      'touch it': [[{ call: 'exec_command', args: { cmd: 'touch it' } }], [{ text: 'Made.' }]],
      'name it': [[{ text: 'Ada.' }]],
    },
    askedLast,
  );
  let server = await start();
  const fork = async (id: string, before?: string) =>
    (await server.api<{ session: SessionState }>('POST', `api/sessions/${id}/fork`, { before })).session.id;
  const source = await server.newSession('demo', { title: 'Source' });
  await server.send(source, 'look into it');
  await server.until(source, (state) => answered(state).includes('It has counted.'));
  const whole = await fork(source);
  await server.send(whole, 'in the fork');
  const { items } = await server.until(whole, (state) => answered(state).includes('In the fork.'));
  const message = items.find((item) => item.type === 'userMessage' && item.text === 'in the fork');
  const other = await fork(whole, message?.id);
  await server.send(other, 'make it');
  const asking = await server.until(
    other,
    (state) => answered(state).includes('It has a name.') && state.agents[0]?.asks === 1,
  );
  const [dig, count] = agentItems(await server.state(source)).map(({ agentId }) => agentId);
  const [touch = ''] = asking.agents.map(({ id }) => id);
  const [ask] = (await server.state(touch)).asks;
  const before = await tree(server);
  expect(before.map(({ id, forkedFrom, below }) => [id, forkedFrom, below.length])).toEqual([
    [source, null, 1],
    [whole, source, 0],
    [other, whole, 2],
  ]);

  await server.kill('SIGKILL');
  server = await start();
  // nobody has opened any of them: the one whose agent was cut hears of it, and has both of its agents go on
  const end = await server.until(
    source,
    (state) => answered(state).includes('Both are done.') && state.status === 'idle',
  );
  expect(end.agents.map(({ id, status }) => [id, status])).toEqual([
    [dig, 'completed'],
    [count, 'completed'],
  ]);
  const after = await tree(server);
  expect(after.slice(1)).toEqual(before.slice(1));
  expect(after[0]?.below).toEqual([
    [dig, expect.any(String), source, ['dig', 'dig on']],
    [count, expect.any(String), source, ['count', 'count again']],
  ]);
  const last = model.requests.findLast((request) => askedLast(request) === 'look into it');
  // cut and then done; done and then done once more
  expect([told(last, dig ?? ''), told(last, count ?? '')]).toEqual([2, 2]);

  const view = await WorkspaceView.open(page, server, other);
  await expect(view.sessions.getByRole('tab')).toHaveCount(3);
  expect((await server.state(touch)).asks).toEqual([ask]);
  const pictures = view.conversation.locator('[data-item="subAgent"]');
  await expect(pictures.getByRole('button', { name: /^Stop / })).toHaveCount(1);
  await look(page, info, 'a-fork-whose-agent-asks');
  await view.allowOnce();
  await server.until(other, ({ status, agents }) => status === 'idle' && agents[0]?.status === 'completed');
  const heard = model.requests.findLast((request) => askedLast(request) === 'make it');
  expect(told(heard, touch)).toBe(1);
});
