/** Answers that are not given yet: what is chosen and typed so far. */
import type { Question } from '@tscodex/shared/asks';
import { t } from '../messages/messages.ts';

/** What stands in the form for one question. `own` is kept while an option is chosen, and the other way round. */
export type Entry = {
  /** Index of the chosen option; `own` for one's own words; null while nothing is chosen. */
  choice: number | 'own' | null;
  own: string;
  /** Indices of the chosen ones where several may be. */
  chosen?: readonly number[];
};
export type PartialAnswer = Readonly<Record<string, Entry>>;

const untouched: Entry = { choice: null, own: '' };

export function entryOf(answer: PartialAnswer, questionId: string): Entry {
  return answer[questionId] ?? untouched;
}

export type Option = { label: string; description: string; answer: string };

/** What may be chosen, and the answer that each is. */
export function optionsOf({ options = [], field }: Question): Option[] {
  if (field?.type === 'boolean')
    return [
      { label: t('asks.yes'), description: '', answer: 'true' },
      { label: t('asks.no'), description: '', answer: 'false' },
    ];
  return options.map((option) => ({ ...option, answer: option.label }));
}

/** Whether a question is answered by words alone. */
export function isOpen(question: Question): boolean {
  return optionsOf(question).length === 0;
}

/** The whole answer, or null while a question has none. */
export function completeAnswer(
  questions: readonly Question[],
  partial: PartialAnswer,
): Record<string, string[]> | null {
  const answers: [string, string[]][] = [];
  for (const question of questions) {
    const texts = textsOf(question, entryOf(partial, question.id));
    if (texts.length > 0) answers.push([question.id, texts]);
    else if (!question.optional) return null;
  }
  return questions.length === 0 ? null : Object.fromEntries(answers);
}

function textsOf(question: Question, { choice, own, chosen = [] }: Entry): string[] {
  if (isOpen(question) || choice === 'own') return own.trim() === '' ? [] : [own];
  const options = optionsOf(question);
  const picked = question.several ? chosen : choice === null ? [] : [choice];
  return picked.flatMap((at) => options[at]?.answer ?? []);
}
