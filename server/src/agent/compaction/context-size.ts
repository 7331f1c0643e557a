/**
 * How many tokens a conversation takes: what the provider has reported last, and an estimate of what came since.
 * The estimate alone, where a provider reports nothing.
 */
import type { ContentPart, ResponseItem } from '../../base/response-items.ts';
import type { ToolSpec } from '../../model/client.ts';

/** Bytes of UTF-8 that make a token, about. Codex's value. */
const BYTES_PER_TOKEN = 4;

/** What a provider takes for an image, about; they count by its size. */
const IMAGE_TOKENS = 1500;

/** What frames an item. */
const ITEM_TOKENS = 4;

/** What a request holds, whatever was said in it. */
export type FixedPart = { instructions: string; tools: readonly { spec: ToolSpec }[] };

export function tokensOfText(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

export function tokensOf(items: readonly ResponseItem[]): number {
  return items.reduce((sum, item) => sum + tokensOfItem(item), 0);
}

export function tokensOfFixed({ instructions, tools }: FixedPart): number {
  return tokensOfText(instructions) + tokensOfText(JSON.stringify(tools.map(({ spec }) => spec)));
}

/** Follows one conversation as it grows. */
export class ContextSize {
  #tokens: number | null = null;
  /** The items that `#tokens` covers. */
  #covered = 0;

  /** `fixed` is of what a request holds beside the history. Takes time by what is new since the last call. */
  used(fixed: number, history: readonly ResponseItem[]): number {
    let tokens = this.#tokens ?? fixed;
    for (const item of history.slice(this.#covered)) tokens += tokensOfItem(item);
    this.#tokens = tokens;
    this.#covered = history.length;
    return tokens;
  }

  /** What a request has taken, together with its answer: the history's first `items`. */
  reported(total: number, items: number): void {
    this.#tokens = total;
    this.#covered = items;
  }

  /** The history is another now. */
  forget(): void {
    this.#tokens = null;
    this.#covered = 0;
  }
}

function tokensOfItem(item: ResponseItem): number {
  return ITEM_TOKENS + tokensIn(item);
}

function tokensIn(item: ResponseItem): number {
  switch (item.type) {
    case 'message':
      return tokensOfParts(item.content);
    case 'reasoning': {
      const texts = [...item.summary, ...(item.content ?? [])].map(({ text }) => tokensOfText(text));
      // base64 of what it stands for
      const hidden = ((item.encrypted_content?.length ?? 0) * 3) / 4 / BYTES_PER_TOKEN;
      return texts.reduce((sum, tokens) => sum + tokens, Math.ceil(hidden));
    }
    case 'function_call':
      return tokensOfText(item.name) + tokensOfText(item.arguments);
    case 'custom_tool_call':
      return tokensOfText(item.name) + tokensOfText(item.input);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return typeof item.output === 'string' ? tokensOfText(item.output) : tokensOfParts(item.output);
    default:
      return tokensOfText(JSON.stringify(item.raw));
  }
}

function tokensOfParts(parts: readonly ContentPart[]): number {
  return parts.reduce((sum, part) => sum + ('text' in part ? tokensOfText(part.text) : IMAGE_TOKENS), 0);
}
