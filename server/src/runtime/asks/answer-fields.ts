/** Whether an answer is what its question wants. Pure. */
import type { AnswerField, Question } from '@tscodex/shared/asks';
import * as z from 'zod';
import { Failure } from '../../base/errors.ts';

/**
 * For what a model asks, which reads whatever is said: several texts, as a choice with a note; an empty one, where
 * the question was passed over. Throws `ask.answer` for a question of which nothing is told.
 */
export function checkAnswered(question: Question, texts: readonly string[] = []): void {
  if (texts.length > 0) return;
  const name = question.header || question.question;
  throw new Failure('invalid', 'ask.answer', `The question "${name}" has no answer yet.`, {
    details: { question: name },
  });
}

/** For what a program asks. Throws `ask.answer` for a question without its answer, `ask.field` for one that does not fit. */
export function checkField(question: Question, texts: readonly string[] = []): void {
  const given = texts.filter((text) => text.trim() !== '');
  if (given.length === 0 && question.optional) return;
  checkAnswered(question, given);
  const wanted = wantedBy(question, texts);
  if (wanted === null) return;
  const { words, ...details } = wanted;
  const name = question.question;
  throw new Failure('invalid', 'ask.field', `The answer to "${name}" does not fit: it has to be ${words}.`, {
    details: { question: name, ...details },
  });
}

/** `words` are English; pages make their own of the rest. `choice` and `choices`: `options`, with commas between. */
type Wanted = {
  words: string;
  kind:
    | ('one' | 'choice' | 'choices' | 'count' | 'length' | 'boolean' | 'number' | 'integer')
    | keyof typeof FORMATS;
  least?: number | undefined;
  most?: number | undefined;
  options?: string;
};

/** What is wanted instead; null where the answer fits. */
function wantedBy(
  { options, allowOther, several, field }: Question,
  texts: readonly string[],
): Wanted | null {
  if (!several && texts.length !== 1) return { kind: 'one', words: 'a single answer' };
  const labels = options?.map(({ label }) => label) ?? [];
  if (labels.length > 0 && !allowOther && !texts.every((text) => labels.includes(text)))
    return offered(labels.join(', '), several ?? false);
  if (!field) return null;
  const { least, most } = field;
  const range = rangeOf(field);
  if (several) {
    if (isWithin(new Set(texts).size, field)) return null;
    return { kind: 'count', least, most, words: `${range} of the choices` };
  }
  return singleWanted(texts[0] ?? '', field);
}

function offered(options: string, several: boolean): Wanted {
  if (several) return { kind: 'choices', options, words: `some of: ${options}` };
  return { kind: 'choice', options, words: `one of: ${options}` };
}

function singleWanted(text: string, field: AnswerField): Wanted | null {
  const { type, format, least, most } = field;
  if (type === 'boolean')
    return text === 'true' || text === 'false' ? null : { kind: type, words: 'true or false' };
  const range = rangeOf(field);
  if (type === 'text') {
    if (format && !FORMATS[format].form.safeParse(text).success)
      return { kind: format, words: FORMATS[format].words };
    if (isWithin([...text].length, field)) return null;
    return { kind: 'length', least, most, words: `a text, ${range} characters long` };
  }
  const number = text.trim() === '' ? Number.NaN : Number(text);
  const isKind = type === 'number' ? Number.isFinite(number) : Number.isSafeInteger(number);
  if (isKind && isWithin(number, field)) return null;
  const what = type === 'number' ? 'a number' : 'a whole number';
  return { kind: type, least, most, words: range ? `${what}, ${range}` : what };
}

const FORMATS = {
  email: { form: z.email(), words: 'an e-mail address' },
  uri: { form: z.url(), words: 'a whole address, like https://example.org' },
  date: { form: z.iso.date(), words: 'a date, like 2026-01-31' },
  'date-time': {
    form: z.iso.datetime({ offset: true, local: true }),
    words: 'a date and time, like 2026-01-31T12:00:00',
  },
} satisfies Record<NonNullable<AnswerField['format']>, { form: z.ZodType; words: string }>;

function isWithin(n: number, { least = -Infinity, most = Infinity }: AnswerField): boolean {
  return n >= least && n <= most;
}

function rangeOf({ least, most }: AnswerField): string {
  if (least === undefined) return most === undefined ? '' : `at most ${most}`;
  return most === undefined ? `at least ${least}` : `from ${least} to ${most}`;
}
