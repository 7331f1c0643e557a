/**
 * What an agent does with those that it has started, as `codex exec --json` tells it (0.171.0, observed): items
 * `collab_tool_call` with the states of the agents. Pure.
 */
import type { AgentStatus, SubAgent, ToolCall } from '@tscodex/shared/items';
import * as z from 'zod';

type State = { status: string; message: string | null };

/** Opening a closed one again is told as a wait. */
const TOOLS: Readonly<Record<string, string>> = {
  ...{ spawn_agent: 'spawn_agent', send_input: 'send_input', wait_agent: 'wait', resume_agent: 'wait' },
  close_agent: 'close_agent',
};

const STATUSES = {
  ...{ pending: 'pending_init', running: 'running', completed: 'completed', failed: 'errored' },
  closed: 'shutdown',
} as const satisfies Record<AgentStatus, string>;

const told = z.union([
  z.string().transform((status): State => ({ status, message: null })),
  z
    .object({ completed: z.string().nullable() })
    .transform(({ completed: message }): State => ({ status: 'completed', message })),
  z
    .object({ errored: z.string() })
    .transform(({ errored: message }): State => ({ status: 'errored', message })),
]);
const call = z.object({
  id: z.string().optional().catch(undefined),
  ids: z.array(z.string()).optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});
const outcome = z.object({
  /** Of each, or of the one that was asked for. */
  status: z
    .union([told, z.record(z.string(), told)])
    .optional()
    .catch(undefined),
  previous_status: told.optional().catch(undefined),
});

export class AgentCalls {
  readonly #states = new Map<string, State>();

  /** `threadId`: of the agent that does all this. */
  constructor(private readonly threadId: string) {}

  static isOne({ name, server }: ToolCall): boolean {
    return server === undefined && Object.hasOwn(TOOLS, name);
  }

  /** Follows how an agent stands. */
  see({ agentId, agentStatus, message }: SubAgent): void {
    const speaks = agentStatus === 'completed' || agentStatus === 'failed';
    this.#states.set(agentId, { status: STATUSES[agentStatus], message: speaks ? message : null });
  }

  /** The call that has started an agent, as it begins and as it ends. */
  spawned({ agentId, prompt }: SubAgent): [object, object] {
    const begun = this.#item('spawn_agent', [], prompt);
    const states = { [agentId]: { status: STATUSES.pending, message: null } };
    return [begun, { ...begun, receiver_thread_ids: [agentId], agents_states: states, status: 'completed' }];
  }

  called({ name, arguments: words, output, status }: ToolCall): object {
    const {
      id,
      ids = id === undefined ? [] : [id],
      message = null,
    } = call.safeParse(parsed(words)).data ?? {};
    const begun = this.#item(TOOLS[name] ?? name, ids, message);
    if (status === 'inProgress') return begun;
    const states = this.#statesIn(ids, parsed(output ?? ''));
    return { ...begun, agents_states: states, status: status === 'completed' ? 'completed' : 'failed' };
  }

  #item(tool: string, receivers: readonly string[], prompt: string | null) {
    return {
      ...{ type: 'collab_tool_call', tool, sender_thread_id: this.threadId },
      ...{ receiver_thread_ids: receivers, prompt, agents_states: {}, status: 'in_progress' },
    };
  }

  #statesIn(ids: readonly string[], output: unknown): Record<string, State> {
    const { status, previous_status: before } = outcome.safeParse(output).data ?? {};
    if (status !== undefined && !isState(status)) return status;
    const one = status ?? before;
    const states = ids.flatMap((id) => {
      const state = one ?? this.#states.get(id);
      return state ? [[id, state] as const] : [];
    });
    return Object.fromEntries(states);
  }
}

function isState(status: State | Record<string, State>): status is State {
  return typeof status.status === 'string';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // a sentence that says what was wrong
  }
}
