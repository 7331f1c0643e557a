import type { Ask, Question } from '@tscodex/shared/asks';

export type AnswerTarget = { askId: string; question: Question };

/**
 * The question that typed text answers: the oldest open one, if it is a single question that takes own words.
 * Several questions at once, options alone, and what an MCP server asks are answered in their form; text is a message then.
 */
export function answerTarget(asks: readonly Ask[]): AnswerTarget | null {
  const ask = asks.find(({ kind }) => kind === 'question');
  const [question, another] = ask?.questions ?? [];
  if (!ask || ask.from || !question || another) return null;
  const takesOwnWords = question.allowOther || !question.options?.length;
  return takesOwnWords ? { askId: ask.id, question } : null;
}
