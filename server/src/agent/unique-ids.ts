/** Some servers count items or calls from 1 in every answer; a conversation must name each once. */
import { isToolCall, type ResponseItem } from '../base/response-items.ts';

/** The items of an answer, told apart from those of `history` and of each other. `calls`: ids of further calls. */
export function withUniqueIds(
  items: readonly ResponseItem[],
  history: readonly ResponseItem[],
  calls: ReadonlySet<string>,
): ResponseItem[] {
  const names = new Names(
    history.flatMap((item) => ('id' in item && item.id !== undefined ? [item.id] : [])),
  );
  const callNames = new Names([...calls, ...history.filter(isToolCall).map((call) => call.call_id)]);
  return items.map((item) => {
    if (item.type === 'other' || item.type === 'web_search_call') return item;
    const id = 'id' in item && item.id !== undefined ? names.free(item.id) : undefined;
    const named = id === undefined || ('id' in item && item.id === id) ? item : { ...item, id };
    if (!isToolCall(named)) return named;
    const callId = callNames.free(named.call_id);
    return callId === named.call_id ? named : { ...named, call_id: callId };
  });
}

class Names {
  private readonly taken: Set<string>;

  constructor(taken: readonly string[]) {
    this.taken = new Set(taken);
  }

  /** `name`, or with a number behind it where that is taken; taken from now on. */
  free(name: string): string {
    let free = name;
    for (let n = 2; this.taken.has(free); n++) free = `${name}_${n}`;
    this.taken.add(free);
    return free;
  }
}
