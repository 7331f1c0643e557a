/**
 * A history cut down to a size, for the one request that sums it up when the whole of it does not fit. What was
 * said is touched last, after reasoning and calls; every call keeps its output. Pure.
 */
import imageSummedUp from '@tscodex/prompts/image-summed-up.md';
import { type ContentPart, isToolCall, isToolOutput, type ResponseItem } from '../../base/response-items.ts';
import { hasConversation } from './compacted-history.ts';
import { tokensOf } from './context-size.ts';
import { cutMiddle } from './cut-middle.ts';

/** What of a tool's input and output remains, and of a message. */
const CALL_TOKENS = 100;
const MESSAGE_TOKENS = 250;

/** The same items where they fit into `target` tokens. `cut`: how many were shortened or left out. */
export function shortened(
  history: readonly ResponseItem[],
  target: number,
): { items: readonly ResponseItem[]; cut: number } {
  let items = history;
  for (const step of STEPS) {
    const excess = tokensOf(items) - target;
    if (excess <= 0) break;
    items = step(items, excess);
  }
  const untouched = new Set(items);
  return { items, cut: history.filter((item) => !untouched.has(item)).length };
}

type Step = (items: readonly ResponseItem[], excess: number) => readonly ResponseItem[];

type Shorten = (item: ResponseItem) => ResponseItem;

/** What came of it stands in what follows. */
const dropReasoning: Step = (items, excess) => {
  let left = excess;
  return items.filter((item) => {
    if (left <= 0 || item.type !== 'reasoning') return true;
    left -= tokensOf([item]);
    return false;
  });
};

const shortenCalls = oldestFirst((item) => {
  if (isToolOutput(item)) return { ...item, output: shortOutput(item.output, CALL_TOKENS) };
  if (item.type === 'custom_tool_call') return { ...item, input: cutMiddle(item.input, CALL_TOKENS) };
  if (item.type !== 'function_call') return item;
  const words = cutMiddle(item.arguments, CALL_TOKENS);
  // providers read it as JSON
  return words === item.arguments ? item : { ...item, arguments: JSON.stringify({ shortened: words }) };
});

const shortenMessages = oldestFirst((item) =>
  item.type === 'message' && hasConversation([item])
    ? { ...item, content: shortParts(item.content, MESSAGE_TOKENS) }
    : item,
);

/** Shortens as few items as will do. */
function oldestFirst(shorten: Shorten): Step {
  return (items, excess) => {
    let left = excess;
    return items.map((item) => {
      if (left <= 0) return item;
      const short = shorten(item);
      const saved = tokensOf([item]) - tokensOf([short]);
      if (saved <= 0) return item;
      left -= saved;
      return short;
    });
  };
}

/**
 * Up to a place where no call waits for its output; first the surroundings, which are told anew: a summary can do
 * without them, but not without the conversation.
 */
function dropOldest(all: readonly ResponseItem[], excess: number): readonly ResponseItem[] {
  const items = all.filter((item) => hasConversation([item]));
  let left = excess - tokensOf(all) + tokensOf(items);
  const open = new Set<string>();
  return items.filter((item) => {
    if (left <= 0 && open.size === 0) return true;
    if (isToolCall(item)) open.add(item.call_id);
    if (isToolOutput(item)) open.delete(item.call_id);
    left -= tokensOf([item]);
    return false;
  });
}

const STEPS = [dropReasoning, shortenCalls, shortenMessages, dropOldest];

function shortOutput(output: string | ContentPart[], tokens: number): string | ContentPart[] {
  return typeof output === 'string' ? cutMiddle(output, tokens) : shortParts(output, tokens);
}

function shortParts(parts: readonly ContentPart[], tokens: number): ContentPart[] {
  return parts.map((part) =>
    'text' in part
      ? { ...part, text: cutMiddle(part.text, tokens) }
      : { type: 'input_text', text: imageSummedUp.trim() },
  );
}
