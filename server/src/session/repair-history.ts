/**
 * What providers refuse about a history that a crash, or another program, has left: outputs without a call, a call
 * with two outputs, and calls without one. The file stays as it is. Pure.
 */
import { isToolCall, isToolOutput, outputFor, type ResponseItem } from '../base/response-items.ts';

/**
 * The same history with one output for each call: `lost` where there is none. Only the calls of the last answer stay
 * without, which a turn may still go on with.
 */
export function repairHistory(history: readonly ResponseItem[], lost: string): ResponseItem[] {
  const last = startOfLastAnswer(history);
  const unanswered = withoutOutput(history);
  const called = new Set<string>();
  return history.flatMap((item, at): ResponseItem[] => {
    // `called` holds a call until its first output has come
    if (isToolOutput(item)) return called.delete(item.call_id) ? [item] : [];
    if (!isToolCall(item)) return [item];
    if (at < last && unanswered.has(at)) return [item, outputFor(item, lost)];
    called.add(item.call_id);
    return [item];
  });
}

/** Where the calls stand that no output follows. */
function withoutOutput(history: readonly ResponseItem[]): Set<number> {
  const open = new Map<string, number>();
  const all = new Set<number>();
  for (const [at, item] of history.entries()) {
    if (isToolOutput(item)) {
      const call = open.get(item.call_id);
      if (call !== undefined) all.delete(call);
    } else if (isToolCall(item)) {
      open.set(item.call_id, at);
      all.add(at);
    }
  }
  return all;
}

/** The last answer of the model, and whatever outputs of its calls have come. */
function startOfLastAnswer(history: readonly ResponseItem[]): number {
  let at = history.length;
  while (at > 0 && isToolOutput(history[at - 1] as ResponseItem)) at--;
  while (at > 0 && isOfModel(history[at - 1] as ResponseItem)) at--;
  return at;
}

function isOfModel(item: ResponseItem): boolean {
  return !isToolOutput(item) && !(item.type === 'message' && item.role !== 'assistant');
}
