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
  const name = question.question;
  throw new Failure('invalid', 'ask.field', `The answer to "${name}" does not fit: it has to be ${wanted}.`, {
    details: { question: name, wanted },
  });
}

/** What is wanted instead; null where the answer fits. */
function wantedBy(
  { options, allowOther, several, field }: Question,
  texts: readonly string[],
): string | null {
  if (!several && texts.length !== 1) return 'one answer';
  const labels = options?.map(({ label }) => label) ?? [];
  if (labels.length > 0 && !allowOther && !texts.every((text) => labels.includes(text)))
    return `of ${labels.join(', ')}`;
  if (!field) return null;
  if (several) return isWithin(texts.length, field) ? null : `${rangeOf(field)} of them`;
  const [text = ''] = texts;
  return fits(text, field) ? null : describe(field);
}

const FORMATS: Readonly<Record<NonNullable<AnswerField['format']>, z.ZodType>> = {
  email: z.email(),
  uri: z.url(),
  date: z.iso.date(),
  'date-time': z.iso.datetime({ offset: true, local: true }),
};

function fits(text: string, field: AnswerField): boolean {
  const { type, format } = field;
  if (type === 'boolean') return text === 'true' || text === 'false';
  if (type === 'text')
    return (!format || FORMATS[format].safeParse(text).success) && isWithin([...text].length, field);
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || !isWithin(number, field)) return false;
  return type === 'number' || Number.isSafeInteger(number);
}

function isWithin(n: number, { least = -Infinity, most = Infinity }: AnswerField): boolean {
  return n >= least && n <= most;
}

function describe(field: AnswerField): string {
  if (field.type === 'boolean') return 'true or false';
  const range = rangeOf(field);
  const what = field.type === 'text' ? (field.format ?? 'text') : field.type;
  return [what, range, field.type === 'text' && range && 'characters'].filter(Boolean).join(' ');
}

function rangeOf({ least, most }: AnswerField): string {
  if (least === undefined && most === undefined) return '';
  return `${least ?? '…'} to ${most ?? '…'}`;
}
