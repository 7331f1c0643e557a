import { type ResponseItem, unansweredCalls } from '../../base/response-items.ts';

/**
 * The conversation of an agent as another one begins with it: without the calls that have no answer yet, that which
 * starts it among them, and without reasoning that led to nothing else, which providers refuse.
 */
export function forkedHistory(history: readonly ResponseItem[]): ResponseItem[] {
  const open = new Set<ResponseItem>(unansweredCalls(history));
  const answered = history.filter((item) => !open.has(item));
  while (answered.at(-1)?.type === 'reasoning') answered.pop();
  return answered;
}
