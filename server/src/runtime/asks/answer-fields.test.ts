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

test.each<[Partial<Question>, string[], string]>([
  [{ field: { type: 'integer', least: 1, most: 9 } }, ['10'], 'integer 1 to 9'],
  [{ field: { type: 'integer' } }, ['1.5'], 'integer'],
  [{ field: { type: 'number' } }, ['Infinity'], 'number'],
  [{ field: { type: 'boolean' } }, ['yes'], 'true or false'],
  [{ field: { type: 'text', format: 'uri' } }, ['not a url'], 'uri'],
  [{ field: { type: 'text', least: 2 } }, ['x'], 'text 2 to … characters'],
  [choice, ['c'], 'of a, b'],
  [choice, ['a', 'b'], 'one answer'],
  [{ ...choice, several: true, field: { type: 'text', most: 1 } }, ['a', 'b'], '… to 1 of them'],
])('%j does not take %j', (about, texts, wanted) => {
  expect(() => checkField(question(about), texts)).toThrow(
    expect.objectContaining({ code: 'ask.field', details: { question: 'Which?', wanted } }),
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
