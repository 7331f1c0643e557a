/** Answers that are not given yet: what is chosen and typed so far. */
import type { Question } from '@tscodex/shared/asks';

/** What stands in the form for one question. `own` is kept while an option is chosen, and the other way round. */
export type Entry = {
  /** Index of the chosen option; `own` for one's own words; null while nothing is chosen. */
  choice: number | 'own' | null;
  own: string;
};
export type PartialAnswer = Readonly<Record<string, Entry>>;

const untouched: Entry = { choice: null, own: '' };

export function entryOf(answer: PartialAnswer, questionId: string): Entry {
  return answer[questionId] ?? untouched;
}

/** Whether a question is answered by words alone. */
export function isOpen(question: Question): boolean {
  return !question.options?.length;
}

/** The whole answer, or null while a question has none. */
export function completeAnswer(
  questions: readonly Question[],
  partial: PartialAnswer,
): Record<string, string[]> | null {
  const answers: [string, string[]][] = [];
  for (const question of questions) {
    const text = textOf(question, entryOf(partial, question.id));
    if (text === null) return null;
    answers.push([question.id, [text]]);
  }
  return answers.length === 0 ? null : Object.fromEntries(answers);
}

function textOf(question: Question, { choice, own }: Entry): string | null {
  if (isOpen(question) || choice === 'own') return own.trim() === '' ? null : own;
  return choice === null ? null : (question.options?.[choice]?.label ?? null);
}
