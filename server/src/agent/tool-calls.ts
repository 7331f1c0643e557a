/** Runs the calls of one answer: prepare, execute, finalize. Neighbours that may, run side by side. */
import type { ToolCall } from '@tscodex/shared/items';
import { v5 as uuidFrom } from 'uuid';
import { type MessageItem, outputFor, type ToolCallItem } from '../base/response-items.ts';
import type { Tool, ToolContext, ToolResult } from '../tools/tool.ts';
import type { TurnContext, TurnPorts } from './turn-context.ts';

type PreparedCall = { call: ToolCallItem; tool: Tool | null; context: ToolContext };

/** Characters of a tool's output shown in its item; the model gets all of it. */
const SHOWN_OUTPUT = 16 * 1024;

/** Calls of one answer that run at all; what no model means keeps the server and the page busy for minutes. */
const MOST_CALLS = 128;

/** Calls of one answer that run side by side. The next begins, and is shown, when one of them has ended. */
const AT_ONCE = 32;

/**
 * Every call gets its output, recorded as soon as it is there. Throws the signal's reason after all running calls
 * have come to rest, and whatever `record` throws.
 */
export async function runToolCalls(
  calls: readonly ToolCallItem[],
  turn: TurnContext,
  ports: TurnPorts,
  signal: AbortSignal,
): Promise<void> {
  if (calls.length > MOST_CALLS) await refuse(calls.slice(MOST_CALLS), turn, ports);
  const followUp: MessageItem[] = [];
  for (const batch of batches(calls.slice(0, MOST_CALLS).map((call) => prepare(call, turn, ports)))) {
    signal.throwIfAborted();
    const waiting = batch.values();
    const runNext = async () => {
      for (const prepared of waiting) {
        signal.throwIfAborted();
        const result = await execute(prepared, ports);
        await finalize(prepared, result, turn, ports);
        followUp.push(...(result.followUp ?? []));
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, runNext));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
  if (followUp.length === 0) return;
  // not among the outputs: providers want each beside its call
  turn.history.push(...followUp);
  await ports.record(followUp);
}

/** First of all, so that a restart in between finds no more calls to run than there were. */
async function refuse(surplus: readonly ToolCallItem[], turn: TurnContext, ports: TurnPorts): Promise<void> {
  const why = `Not run: at most ${MOST_CALLS} calls of one answer are. Make it again in your next answer, if it is still needed.`;
  const outputs = surplus.map((call) => outputFor(call, why));
  turn.history.push(...outputs);
  await ports.record(outputs);
}

/** The item that shows a call has the same id before and after a restart. */
export function itemIdOf(turnId: string, callId: string): string {
  return uuidFrom(callId, turnId);
}

function prepare(call: ToolCallItem, turn: TurnContext, ports: TurnPorts): PreparedCall {
  const tool = turn.tools.find((candidate) => candidate.name === call.name) ?? null;
  return { call, tool, context: ports.toolContext(call.call_id, itemIdOf(turn.turnId, call.call_id)) };
}

function batches(calls: PreparedCall[]): PreparedCall[][] {
  const result: PreparedCall[][] = [];
  for (const call of calls) {
    const last = result.at(-1);
    if (call.tool?.parallel && last?.[0]?.tool?.parallel) last.push(call);
    else result.push([call]);
  }
  return result;
}

async function execute({ call, tool, context }: PreparedCall, ports: TurnPorts): Promise<ToolResult> {
  const raw = call.type === 'function_call' ? call.arguments : call.input;
  const item = tool?.shows === 'own' ? null : shownCall(call, raw, context);
  if (item) context.emit({ type: 'item.started', item });
  try {
    const result = tool
      ? await tool.call(raw, context)
      : { output: `There is no tool named ${call.name}.`, success: false };
    if (item) context.emit({ type: 'item.completed', item: { ...item, ...shownResult(result) } });
    return result;
  } catch (error) {
    const completedAt = new Date().toISOString();
    const status = context.signal.aborted ? ('interrupted' as const) : ('failed' as const);
    if (item) context.emit({ type: 'item.completed', item: { ...item, status, completedAt } });
    if (context.signal.aborted) throw error;
    ports.toolCrashed(call.name, error);
    return { output: `${call.name} failed by a fault inside tscodex.`, success: false };
  }
}

async function finalize(
  { call }: PreparedCall,
  result: ToolResult,
  turn: TurnContext,
  ports: TurnPorts,
): Promise<void> {
  const output = outputFor(call, result.output);
  // first here: what ran has run, also when the disk refuses to keep it
  turn.history.push(output);
  await ports.record([output]);
}

function shownCall(call: ToolCallItem, raw: string, { itemId, turnId }: ToolContext): ToolCall {
  return {
    id: itemId,
    type: 'toolCall',
    turnId,
    status: 'inProgress',
    startedAt: new Date().toISOString(),
    name: call.name,
    arguments: raw,
  };
}

function shownResult({ output, success }: ToolResult): Partial<ToolCall> {
  const whole =
    typeof output === 'string'
      ? output
      : output.map((part) => ('text' in part ? part.text : '[image]')).join('\n');
  const text = whole.slice(0, SHOWN_OUTPUT);
  return {
    status: success ? 'completed' : 'failed',
    completedAt: new Date().toISOString(),
    ...(success ? { output: text } : { error: text }),
  };
}
