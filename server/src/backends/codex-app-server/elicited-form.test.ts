import { expect, test } from 'vitest';
import { elicitedForm } from './elicited-form.ts';

const form = (properties: Record<string, unknown>, required: string[] = []) =>
  elicitedForm({ type: 'object', properties, required });

test('each kind of field is a question, and its answer has the type that the server wants', () => {
  const asked = form(
    {
      name: { type: 'string', title: 'Name', description: 'Who are you?', maxLength: 40 },
      mail: { type: 'string', format: 'email' },
      age: { type: 'integer', minimum: 0 },
      share: { type: 'number', maximum: 1 },
      agrees: { type: 'boolean', default: true },
      size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
      colour: { type: 'string', oneOf: [{ const: '#f00', title: 'Red' }] },
      tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1 },
      note: { type: 'string' },
    },
    ['name', 'age'],
  );
  expect(asked?.questions).toMatchObject([
    { header: 'Name', question: 'Who are you?', field: { type: 'text', most: 40 }, allowOther: true },
    { header: '', question: 'mail', field: { type: 'text', format: 'email' }, optional: true },
    { question: 'age', field: { type: 'integer', least: 0 } },
    { question: 'share', field: { type: 'number', most: 1 } },
    { question: 'agrees', field: { type: 'boolean' } },
    { question: 'size', options: [{ label: 'Small' }, { label: 'Large' }], allowOther: false },
    { question: 'colour', options: [{ label: 'Red' }] },
    { question: 'tags', options: [{ label: 'a' }, { label: 'b' }], several: true, field: { least: 1 } },
    { question: 'note', optional: true },
  ]);
  expect(asked?.questions.filter(({ optional }) => !optional)).toHaveLength(2);
  const texts = [['Ada'], ['a@b.c'], ['36'], ['0.5'], ['false'], ['Large'], ['Red'], ['a', 'b', 'a'], [' ']];
  const answers = Object.fromEntries(texts.map((answer, at) => [`field-${at}`, answer]));
  expect(asked?.content(answers)).toEqual({
    ...{ name: 'Ada', mail: 'a@b.c', age: 36, share: 0.5, agrees: false },
    ...{ size: 'l', colour: '#f00', tags: ['a', 'b'] },
  });
});

test('names of properties are names and nothing else', () => {
  const properties = JSON.parse('{"constructor": {"type": "string"}}');
  const asked = form(properties);
  expect(asked?.content({ 'field-0': ['x'] })).toEqual({ constructor: 'x' });
});

const many = (n: number, one: (at: number) => [string, unknown]) =>
  Object.fromEntries(Array.from({ length: n }, (_, at) => one(at)));

test.each([
  ['no schema', null],
  ['no object', { type: 'string' }],
  ['a form in a form', { type: 'object', properties: { a: { type: 'object', properties: {} } } }],
  ['a type of its own', { type: 'object', properties: { a: { type: 'file' } } }],
  ['a choice that is none', { type: 'object', properties: { a: { type: 'string', enum: [1, 2] } } }],
  ['options alike', { type: 'object', properties: { a: { type: 'string', enum: ['x', 'x'] } } }],
  ['too many fields', { type: 'object', properties: many(21, (at) => [`f${at}`, { type: 'string' }]) }],
  ['too long a title', { type: 'object', properties: { a: { type: 'string', title: 'x'.repeat(201) } } }],
  [
    'too many options',
    {
      type: 'object',
      properties: { a: { type: 'string', enum: Array.from({ length: 61 }, (_, n) => `${n}`) } },
    },
  ],
])('%s is no form', (_, requested) => {
  expect(elicitedForm(requested)).toBeNull();
});
