/** What a conversation goes on with once it has been summed up. Pure. */
import imageSummedUp from '@tscodex/prompts/image-summed-up.md';
import prefix from '@tscodex/prompts/summary-prefix.md';
import { type MessageItem, type ResponseItem, textOf, userText } from '../../base/response-items.ts';
import { isSaidByPeople, personText } from '../../base/said-by-people.ts';
import { tokensOf } from './context-size.ts';
import { cutMiddle } from './cut-middle.ts';

/** A message of which less than this would remain is left out whole. */
const LEAST_TOKENS = 50;

export type CompactedParts = {
  /** What the model is to know of its surroundings. */
  surroundings: readonly ResponseItem[];
  /** The conversation that was summed up. */
  history: readonly ResponseItem[];
  summary: string;
  /** Tokens that the kept messages may take. */
  budget: number;
};

/** Surroundings, the newest messages of people in their own words, the summary. */
export function compactedHistory(parts: CompactedParts): ResponseItem[] {
  return [
    ...parts.surroundings,
    ...keptMessages(parts.history, parts.budget),
    userText(framed(parts.summary)),
  ];
}

/** As the model reads it. */
export function framed(summary: string): string {
  return `<conversation_summary>\n${prefix.trim()}\n\n${summary.trim()}\n</conversation_summary>`;
}

/** Whether there is anything to sum up: more than what the model was told of its surroundings. */
export function hasConversation(history: readonly ResponseItem[]): boolean {
  return history.some((item) => item.type !== 'message' || item.role === 'assistant' || isSaidByPeople(item));
}

function keptMessages(history: readonly ResponseItem[], budget: number): MessageItem[] {
  const kept: MessageItem[] = [];
  let left = budget;
  for (const message of history.filter(isSaidByPeople).reverse()) {
    const words = withoutImages(message);
    const tokens = tokensOf([words]);
    if (tokens > left && left < LEAST_TOKENS) break;
    kept.unshift(tokens > left ? personText(cutMiddle(textOf(words), left)) : words);
    left -= tokens;
    if (left <= 0) break;
  }
  return kept;
}

/** An image may weigh as much as all the words there are, and the summary says what was to be seen. */
function withoutImages(message: MessageItem): MessageItem {
  if (!message.content.some((part) => part.type === 'input_image')) return message;
  return personText(`${textOf(message)}\n${imageSummedUp.trim()}`.trim());
}
