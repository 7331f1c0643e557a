/**
 * What happens in a session, as `codex exec --json` tells it (0.171.0, observed): items with numbers of their own
 * from 0, a message only once it is whole, usage as the total of the thread. Pure.
 */
import type { SessionEvent, Usage } from '@tscodex/shared/events';
import type { CommandExecution, FileChange, Item, ItemStatus, Plan, SubAgent } from '@tscodex/shared/items';
import { AgentCalls } from '../agent-calls.ts';

/** One line of stdout. */
export type ExecEvent = { type: string } & Record<string, unknown>;

const KINDS = { add: 'add', delete: 'delete', update: 'update', move: 'update' } as const;

export class ExecEvents {
  readonly #ids = new Map<string, string>();
  readonly #agents: AgentCalls;
  #plan: Plan | null = null;
  #total: Usage | null;

  /** `total`: what the session had used before. */
  constructor(threadId: string, total: Usage | null) {
    this.#agents = new AgentCalls(threadId);
    this.#total = total;
  }

  take(event: SessionEvent): ExecEvent[] {
    switch (event.type) {
      case 'turn.started':
        return [{ type: 'turn.started' }];
      case 'item.started':
      case 'item.updated':
      case 'item.completed':
        return this.#item(event.type, event.item as Item);
      case 'model.retrying':
        return [
          { type: 'error', message: `Reconnecting... ${event.attempt}/${event.max} (${event.message})` },
        ];
      case 'usage.updated':
        this.#total = event.total;
        return [];
      case 'turn.completed':
        return [...this.#planEnd(), ...this.#turnEnd(event)];
      default:
        return [];
    }
  }

  #turnEnd({ status, error }: Extract<SessionEvent, { type: 'turn.completed' }>): ExecEvent[] {
    if (status === 'completed') return [{ type: 'turn.completed', usage: usageOf(this.#total) }];
    const message = error?.message ?? 'the turn was interrupted';
    return [
      { type: 'error', message },
      { type: 'turn.failed', error: { message } },
    ];
  }

  #item(type: ExecEvent['type'], item: Item): ExecEvent[] {
    const whole = type === 'item.completed';
    switch (item.type) {
      case 'agentMessage':
        return whole ? this.#tell(type, item, { type: 'agent_message', text: item.text }) : [];
      case 'reasoning':
        return whole && item.summary.length
          ? this.#tell(type, item, { type: 'reasoning', text: item.summary.join('\n') })
          : [];
      case 'commandExecution':
        return item.status === 'declined' || type === 'item.updated'
          ? []
          : this.#tell(type, item, commandOf(item));
      case 'fileChange':
        // one that was refused or does not apply leaves nothing
        return item.status === 'declined' || item.error !== undefined || type === 'item.updated'
          ? []
          : this.#tell(type, item, changesOf(item));
      case 'toolCall':
        if (AgentCalls.isOne(item))
          return type === 'item.updated' ? [] : this.#tell(type, item, this.#agents.called(item));
        return item.server === undefined || type === 'item.updated'
          ? []
          : this.#tell(type, item, {
              ...{ type: 'mcp_tool_call', server: item.server, tool: item.name },
              ...{ arguments: parsed(item.arguments), status: statusOf(item.status) },
              result: item.output === undefined ? null : { content: [{ type: 'text', text: item.output }] },
              error: item.error === undefined ? null : { message: item.error },
            });
      case 'subAgent':
        return this.#agentNews(type, item);
      case 'webSearch':
        return this.#tell(type, item, { type: 'web_search', query: item.query });
      case 'plan':
        return this.#planNews(item);
      case 'notice':
        // what ends a turn is told with its end, a retry by itself
        return whole && item.level === 'warning' && item.code !== 'model.retry'
          ? this.#tell(type, item, { type: 'error', message: item.text })
          : [];
      default:
        return [];
    }
  }

  /** It lives on; the call that has started it does not. */
  #agentNews(type: ExecEvent['type'], item: SubAgent): ExecEvent[] {
    this.#agents.see(item);
    if (type !== 'item.started') return [];
    const [begun, ended] = this.#agents.spawned(item);
    return [...this.#tell('item.started', item, begun), ...this.#tell('item.completed', item, ended)];
  }

  /** Ours is told whole each time; theirs begins, changes and ends with the turn. */
  #planNews(item: Plan): ExecEvent[] {
    const first = this.#plan === null;
    this.#plan = { ...item, id: this.#plan?.id ?? item.id };
    return this.#tell(first ? 'item.started' : 'item.updated', this.#plan, todoOf(item));
  }

  #planEnd(): ExecEvent[] {
    const plan = this.#plan;
    this.#plan = null;
    return plan ? this.#tell('item.completed', plan, todoOf(plan)) : [];
  }

  #tell(type: string, { id: itemId }: { id: string }, item: object): ExecEvent[] {
    const id = this.#ids.get(itemId) ?? `item_${this.#ids.size}`;
    this.#ids.set(itemId, id);
    return [{ type, item: { id, ...item } }];
  }
}

function commandOf({ command, output, exitCode, status }: CommandExecution) {
  return {
    ...{ type: 'command_execution', command, aggregated_output: output },
    ...{ exit_code: exitCode ?? null, status: statusOf(status) },
  };
}

function changesOf({ changes, status }: FileChange) {
  return {
    type: 'file_change',
    changes: changes
      .map(({ path, kind }) => ({ path, kind: KINDS[kind] }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    status: statusOf(status),
  };
}

function todoOf({ steps }: Plan) {
  return {
    type: 'todo_list',
    items: steps.map(({ step, status }) => ({ text: step, completed: status === 'completed' })),
  };
}

function statusOf(status: ItemStatus): string {
  if (status === 'inProgress') return 'in_progress';
  return status === 'completed' ? 'completed' : 'failed';
}

function usageOf(total: Usage | null) {
  return {
    input_tokens: total?.inputTokens ?? 0,
    cached_input_tokens: total?.cachedInputTokens ?? 0,
    cache_write_input_tokens: 0,
    output_tokens: total?.outputTokens ?? 0,
    reasoning_output_tokens: total?.reasoningTokens ?? 0,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
