/** Some servers count items or calls from 1 in every answer; a conversation must name each once. */
import { isToolCall, type ResponseItem } from '../base/response-items.ts';

/** The ids of one conversation, also of what is not in its history any more: what a turn has begun is known by them. */
export class UniqueIds {
  readonly #items = new Names();
  readonly #calls = new Names();

  /** `history`: what there is of the conversation so far. */
  constructor(history: readonly ResponseItem[]) {
    for (const item of history) {
      if ('id' in item && item.id !== undefined) this.#items.take(item.id);
      if (isToolCall(item)) this.#calls.take(item.call_id);
    }
  }

  /** The items of an answer, told apart from all before and from each other. */
  of(items: readonly ResponseItem[]): ResponseItem[] {
    return items.map((item) => {
      if (item.type === 'other' || item.type === 'web_search_call') return item;
      const id = 'id' in item && item.id !== undefined ? this.#items.free(item.id) : undefined;
      const named = id === undefined || ('id' in item && item.id === id) ? item : { ...item, id };
      if (!isToolCall(named)) return named;
      const callId = this.#calls.free(named.call_id);
      return callId === named.call_id ? named : { ...named, call_id: callId };
    });
  }
}

class Names {
  /** Each name, and the number that was put behind it last. */
  readonly #taken = new Map<string, number>();

  take(name: string): void {
    this.#taken.set(name, 1);
  }

  /** `name`, or with a number behind it where that is taken; taken from now on. */
  free(name: string): string {
    let n = this.#taken.get(name);
    if (n === undefined) {
      this.take(name);
      return name;
    }
    let free: string;
    do free = `${name}_${++n}`;
    while (this.#taken.has(free));
    this.#taken.set(name, n);
    this.take(free);
    return free;
  }
}
