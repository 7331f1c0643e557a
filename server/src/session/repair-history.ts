/**
 * What providers refuse about a history that a crash, or another program, has left: outputs without a call, a call
 * with two outputs, and calls without one. The file stays as it is. Pure.
 */
import {
  isOfModel,
  isToolCall,
  isToolOutput,
  outputFor,
  type ResponseItem,
  unansweredCalls,
} from '../base/response-items.ts';

/**
 * The same history with one output for each call: `lost` where there is none. Only the calls of the last answer stay
 * without, which a turn may still go on with.
 */
export function repairHistory(history: readonly ResponseItem[], lost: string): ResponseItem[] {
  const last = startOfLastAnswer(history);
  const unanswered = new Set(unansweredCalls(history));
  const called = new Set<string>();
  return history.flatMap((item, at): ResponseItem[] => {
    // `called` holds a call until its first output has come
    if (isToolOutput(item)) return called.delete(item.call_id) ? [item] : [];
    if (!isToolCall(item)) return [item];
    if (at < last && unanswered.has(item)) return [item, outputFor(item, lost)];
    called.add(item.call_id);
    return [item];
  });
}

/** The last answer of the model, and whatever outputs of its calls have come. */
function startOfLastAnswer(history: readonly ResponseItem[]): number {
  let at = history.length;
  while (at > 0 && isToolOutput(history[at - 1] as ResponseItem)) at--;
  while (at > 0 && isOfModel(history[at - 1] as ResponseItem)) at--;
  return at;
}
