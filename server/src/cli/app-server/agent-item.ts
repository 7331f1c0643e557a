/** What an agent does with those that it has started, as Codex's app-server tells it. Pure. */
import type { SubAgent, ToolCall } from '@tscodex/shared/items';
import * as z from 'zod';
import type { AgentCalls } from '../agent-calls.ts';

/** As `codex exec` tells it, which has the same words in another spelling. */
const told = z.object({
  tool: z.string(),
  sender_thread_id: z.string(),
  receiver_thread_ids: z.array(z.string()),
  prompt: z.string().nullable(),
  agents_states: z.record(z.string(), z.object({ status: z.string(), message: z.string().nullable() })),
  status: z.string(),
});

type AgentItem = { type: string } & Record<string, unknown>;

export function calledItem(item: ToolCall, calls: AgentCalls): AgentItem {
  return respelled(calls.called(item));
}

/** As it begins, and as it ends: at once. */
export function spawnedItems(item: SubAgent, calls: AgentCalls): [AgentItem, AgentItem] {
  const [begun, ended] = calls.spawned(item);
  return [respelled(begun), respelled(ended)];
}

function respelled(call: object): AgentItem {
  const { tool, sender_thread_id, receiver_thread_ids, prompt, agents_states, status } = told.parse(call);
  const states = Object.entries(agents_states).map(([id, state]) => [
    id,
    { ...state, status: camel(state.status) },
  ]);
  return {
    ...{ type: 'collabAgentToolCall', tool: camel(tool), status: camel(status) },
    ...{ senderThreadId: sender_thread_id, receiverThreadIds: receiver_thread_ids, prompt },
    ...{ model: null, reasoningEffort: null, agentsStates: Object.fromEntries(states) },
  };
}

function camel(words: string): string {
  return words.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
