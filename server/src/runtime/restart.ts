/**
 * What becomes of a turn that was under way when the server went down. Pure: what was saved goes in, the plan
 * comes out.
 */
import type { CommandExecution, Item, ToolCall } from '@tscodex/shared/items';
import * as z from 'zod';
import { itemIdOf } from '../agent/tool-calls.ts';
import type { ToolCallItem } from '../base/response-items.ts';

export type SavedTurn = {
  id: string;
  /** Calls without an output. */
  pending: readonly ToolCallItem[];
  /** Of these, the ones that had begun to act. */
  started: ReadonlySet<string>;
  /** Of these, the ones that had asked a person. */
  asked: ReadonlySet<string>;
  /** Whether a request has gone out since the turn last took inputs. */
  requestSent: boolean;
};

export type RestartPlan =
  /** It only waited for people: it goes on as the same turn, with the same asks. */
  | 'suspended'
  /** Its inputs had not reached the model: it runs as if it had just begun. */
  | 'again'
  /** It was cut: it ends as interrupted, and a person may continue. */
  | 'cut';

export function planRestart({ pending, started, asked, requestSent }: SavedTurn): RestartPlan {
  if (pending.length === 0) return requestSent ? 'cut' : 'again';
  if (pending.some((call) => started.has(call.call_id))) return 'cut';
  return pending.some((call) => asked.has(call.call_id)) ? 'suspended' : 'cut';
}

/** How often a session may go down within a turn before it waits for a person. */
export const CRASH_LIMIT = 2;

const command = z.object({ cmd: z.string(), workdir: z.string().optional() });

/** The item of a call that a restart cut: what is known of it, marked as interrupted. */
export function cutCallItem(call: ToolCallItem, turnId: string, cwd: string, at: string): Item {
  const base = {
    id: itemIdOf(turnId, call.call_id),
    turnId,
    status: 'interrupted' as const,
    startedAt: at,
    completedAt: at,
  };
  const raw = call.type === 'function_call' ? call.arguments : call.input;
  const args = call.name === 'exec_command' ? command.safeParse(parseJson(raw)) : null;
  if (!args?.success)
    return { ...base, type: 'toolCall', name: call.name, arguments: raw } satisfies ToolCall;
  return {
    ...base,
    type: 'commandExecution',
    command: args.data.cmd,
    cwd: args.data.workdir ?? cwd,
    output: '',
    outputBytes: 0,
    truncated: false,
    sandbox: 'none',
  } satisfies CommandExecution;
}

/**
 * An item that was in progress when the server went down is not any more. An agent that this session has started shows
 * itself anew; one that a fork only has the picture of does not work here.
 */
export function settled(item: Item, at: string): Item {
  if (item.status !== 'inProgress') return item;
  const cut = { ...item, status: 'interrupted' as const, completedAt: at };
  return cut.type === 'subAgent' ? { ...cut, agentStatus: 'closed' } : cut;
}

/** A command that ended, without a word, while it still asked people has not run, whatever its end is called. */
export function neverRan(item: Item): Item {
  if (item.type !== 'commandExecution' || item.status === 'completed' || item.status === 'declined')
    return item;
  if ((item.exitCode ?? -1) >= 0 || !SAYS_NOTHING.test(item.output)) return item;
  return { ...item, status: 'interrupted', decision: { outcome: 'withdrawn', by: null } };
}

/** What Codex puts in place of an output. */
const SAYS_NOTHING = /^(Wall time: .*\n)?(aborted by user)?\s*$/;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // shown as the plain call it was
  }
}
