/** Agents that an agent starts, as a client of the app-server meets them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { calls, type ScriptedAnswer, says } from '../../model/scripted-model.ts';
import { type Fields, openPlace } from './app-client.test-support.ts';

let place: Awaited<ReturnType<typeof openPlace>>;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.remove());

test('an agent that another starts is a thread: told of, asking for itself, and closed with the one above', async () => {
  const [above, below] = [
    [says('', calls('spawn_agent', { message: 'look' })), says('It looks.'), says('It has looked.')],
    [says('', calls('exec_command', { cmd: 'touch looked' })), says('Found it.')],
  ];
  // whichever asks first
  const either: ScriptedAnswer = (request, signal) =>
    ((request.subAgent ? below : above).shift() ?? says('(over)'))(request, signal);
  const client = await place.client(either, either, either, either, either);
  client.answers.set('item/commandExecution/requestApproval', () => ({ decision: 'accept' }));
  const threadId = await client.thread({ approvalPolicy: 'untrusted' });
  const turnId = await client.say(threadId, 'have it looked at');
  const started = await client.until(
    ({ method, params }) => method === 'thread/started' && (params.thread as Fields).id !== threadId,
  );
  const agent = started.params.thread as Fields;
  expect(agent).toMatchObject({
    ...{ parentThreadId: threadId, agentNickname: expect.any(String), cwd: place.work },
    source: { subagent: { thread_spawn: { parent_thread_id: threadId, depth: 1 } } },
  });
  await client.endOf(turnId);
  const end = await client.until(
    ({ method, params }) => method === 'turn/completed' && params.threadId === agent.id,
  );
  expect(end.params.turn).toMatchObject({ status: 'completed', items: [{ text: 'Found it.' }] });
  expect(client.of('item/commandExecution/requestApproval')).toMatchObject([{ threadId: agent.id }]);

  const spawned = client
    .of('item/completed')
    .filter(({ item }) => (item as Fields).type === 'collabAgentToolCall');
  expect(spawned).toMatchObject([
    {
      threadId,
      item: {
        ...{ tool: 'spawnAgent', status: 'completed', senderThreadId: threadId, prompt: 'look' },
        ...{ receiverThreadIds: [agent.id], agentsStates: { [String(agent.id)]: { status: 'pendingInit' } } },
      },
    },
  ]);
  // its end wakes the one above
  const woken = await client.until(
    ({ method, params }) =>
      method === 'turn/completed' && params.threadId === threadId && (params.turn as Fields).id !== turnId,
  );
  expect(woken.params.turn).toMatchObject({ status: 'completed' });
  expect((await client.call('thread/loaded/list')).data).toEqual([threadId, agent.id]);
  await expect(client.call('thread/archive', { threadId: agent.id })).rejects.toThrow(
    'archive the one above it',
  );

  await client.call('thread/unsubscribe', { threadId });
  await client.until(({ method, params }) => method === 'thread/closed' && params.threadId === threadId);
  const closed = client.of('thread/closed').map((params) => params.threadId);
  expect(closed).toEqual([agent.id, threadId]);
  expect((await client.call('thread/list')).data).toMatchObject([{ id: threadId }]);
  const agents = await client.call('thread/list', { sourceKinds: ['subAgentThreadSpawn'] });
  expect(agents.data).toMatchObject([{ id: agent.id }]);
  const { thread } = await client.call('thread/read', { threadId, includeTurns: true });
  const items = (thread as { turns: { items: Fields[] }[] }).turns.flatMap((turn) => turn.items);
  expect(items.map(({ type }) => type)).toContain('collabAgentToolCall');
});
