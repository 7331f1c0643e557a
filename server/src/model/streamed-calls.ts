/**
 * What was streamed of calls, beside what is said of them in the end. The end counts; where that is not usable, as
 * some servers have it, what was streamed is.
 */

type Streamed = { item: unknown; pieces: string; whole: string | undefined; ended: boolean };

/** Where the text of a call stands in its item. */
const TEXT_OF = { function_call: 'arguments', custom_tool_call: 'input' } as const;

export class StreamedCalls {
  readonly #calls = new Map<string, Streamed>();

  /** `key`: what its events have in common. Whether the item is a call. */
  begin(key: string, item: unknown): boolean {
    this.#call(key).item = item;
    return textKey(item) !== null;
  }

  piece(key: string, text: string): void {
    this.#call(key).pieces += text;
  }

  whole(key: string, text: string): void {
    this.#call(key).whole = text;
  }

  /** The item as it came in the end, with the text that was streamed where its own is not usable. */
  end(key: string, item: unknown): unknown {
    const call = this.#calls.get(key);
    if (!call) return item;
    call.ended = true;
    return withText(item, call);
  }

  /** The items that did not come in the end although all of their text did. */
  left(): unknown[] {
    return [...this.#calls.values()]
      .filter((call) => !call.ended && textKey(call.item) !== null && usable(call.item, textsOf(call)[0]))
      .map((call) => withText(call.item, call));
  }

  #call(key: string): Streamed {
    const call = this.#calls.get(key) ?? { item: null, pieces: '', whole: undefined, ended: false };
    this.#calls.set(key, call);
    return call;
  }
}

function withText(item: unknown, call: Streamed): unknown {
  const key = textKey(item);
  if (key === null || usable(item, (item as Record<string, unknown>)[key])) return item;
  const text = textsOf(call).find((candidate) => usable(item, candidate));
  return text === undefined ? item : { ...(item as object), [key]: text };
}

function textsOf({ whole, pieces }: Streamed): string[] {
  return [whole ?? '', pieces].filter((text) => text !== '');
}

function textKey(item: unknown): 'arguments' | 'input' | null {
  if (typeof item !== 'object' || item === null || !('type' in item)) return null;
  return item.type === 'function_call' || item.type === 'custom_tool_call' ? TEXT_OF[item.type] : null;
}

/** Arguments are JSON, free text is any. */
function usable(item: unknown, text: unknown): boolean {
  if (typeof text !== 'string' || text.trim() === '') return typeof text === 'object' && text !== null;
  if (textKey(item) === 'input') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
