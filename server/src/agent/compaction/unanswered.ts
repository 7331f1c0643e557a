/**
 * What of a conversation the model has not answered yet: a compaction carries it over as it is, whatever turn it
 * came in. Told from the history, so that it is the same after a restart and after a turn that failed. Pure.
 */
import { isOfModel, isToolOutput, type ResponseItem, textOf } from '../../base/response-items.ts';
import { isSaidByPeople } from '../../base/said-by-people.ts';
import { toldBy } from '../../context/context-changes.ts';
import { tokensOf } from './context-size.ts';

/** The second is how Codex opens a summary. */
const SUMMARY = /^\s*(?:<conversation_summary>|Another language model started to solve this problem)/;

/** Where more than `room` tokens are unanswered, the oldest of it is left to the summary; never the newest message. */
export function unansweredPart(history: readonly ResponseItem[], room: number): ResponseItem[] {
  const from = history.findLastIndex((item) => isOfModel(item) || isToolOutput(item) || isSummary(item));
  // surroundings are told anew
  const items = history.slice(from + 1).filter((item) => Object.keys(toldBy([item])).length === 0);
  const newest = items.findLastIndex(isSaidByPeople);
  let left = room;
  const last = items.findLastIndex((item, at) => {
    left -= tokensOf([item]);
    return left < 0 && at < newest;
  });
  return items.slice(last + 1);
}

function isSummary(item: ResponseItem): boolean {
  return (
    item.type === 'message' && item.role === 'user' && !isSaidByPeople(item) && SUMMARY.test(textOf(item))
  );
}
