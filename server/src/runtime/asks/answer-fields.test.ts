import type { Question } from '@tscodex/shared/asks';
import { expect, test } from 'vitest';
import { checkAnswered, checkField } from './answer-fields.ts';

const question = (more: Partial<Question>): Question => ({
  ...{ id: 'q', header: '', question: 'Which?', allowOther: true, ...more },
});
const ab = ['a', 'b'].map((label) => ({ label, description: '' }));
const choice = { options: ab, allowOther: false };

test.each<[Partial<Question>, string[]]>([
  [{}, ['anything']],
  [{ optional: true }, []],
  [{ field: { type: 'integer', least: 1, most: 9 } }, ['9']],
  [{ field: { type: 'number' } }, ['-0.5']],
  [{ field: { type: 'boolean' } }, ['false']],
  [{ field: { type: 'text', format: 'email' } }, ['ada@example.org']],
  [{ field: { type: 'text', format: 'date' } }, ['2026-12-01']],
  [{ field: { type: 'text', format: 'date-time' } }, ['2026-12-01T02:00:00Z']],
  [{ field: { type: 'text', most: 2 } }, ['🙂🙂']],
  [choice, ['b']],
  [{ ...choice, several: true, field: { type: 'text', most: 2 } }, ['a', 'b']],
])('%j takes %j', (about, texts) => {
  expect(() => checkField(question(about), texts)).not.toThrow();
});

test.each<[Partial<Question>, string[], object, string]>([
  [
    { field: { type: 'integer', least: 1, most: 9 } },
    ['10'],
    { kind: 'integer', least: 1, most: 9 },
    'a whole number, from 1 to 9',
  ],
  [{ field: { type: 'integer' } }, ['1.5'], { kind: 'integer' }, 'a whole number'],
  [{ field: { type: 'number' } }, ['Infinity'], { kind: 'number' }, 'a number'],
  [{ field: { type: 'boolean' } }, ['yes'], { kind: 'boolean' }, 'true or false'],
  [
    { field: { type: 'text', format: 'uri', most: 99 } },
    ['not a url'],
    { kind: 'uri' },
    'a whole address, like https://example.org',
  ],
  [
    { field: { type: 'text', format: 'email', most: 9 } },
    ['ada@example.org'],
    { kind: 'length', most: 9 },
    'a text, at most 9 characters long',
  ],
  [
    { field: { type: 'text', least: 2 } },
    ['x'],
    { kind: 'length', least: 2 },
    'a text, at least 2 characters long',
  ],
  [choice, ['c'], { kind: 'choice', options: 'a, b' }, 'one of: a, b'],
  [{ ...choice, several: true }, ['a', 'c'], { kind: 'choices', options: 'a, b' }, 'some of: a, b'],
  [choice, ['a', 'b'], { kind: 'one' }, 'a single answer'],
  [
    { ...choice, several: true, field: { type: 'text', most: 1 } },
    ['a', 'b'],
    { kind: 'count', most: 1 },
    'at most 1 of the choices',
  ],
  [
    { ...choice, several: true, field: { type: 'text', least: 2 } },
    ['a', 'a'],
    { kind: 'count', least: 2 },
    'at least 2 of the choices',
  ],
])('%j does not take %j', (about, texts, details, words) => {
  expect(() => checkField(question(about), texts)).toThrow(
    expect.objectContaining({
      ...{ code: 'ask.field', details: { question: 'Which?', ...details } },
      message: `The answer to "Which?" does not fit: it has to be ${words}.`,
    }),
  );
});

test('what is wanted has to be there', () => {
  expect(() => checkField(question({}), ['  '])).toThrow('The question "Which?" has no answer yet.');
});

test('a model is told whatever is said, also that a question was passed over', () => {
  expect(() => checkAnswered(question(choice), ['c', 'a note'])).not.toThrow();
  expect(() => checkAnswered(question({}), [''])).not.toThrow();
  expect(() => checkAnswered(question({}), [])).toThrow('The question "Which?" has no answer yet.');
});
