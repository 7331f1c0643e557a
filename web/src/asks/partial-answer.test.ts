import type { Question } from '@tscodex/shared/asks';
import { expect, test } from 'vitest';
import { completeAnswer } from './partial-answer.ts';

const options = ['Small', 'Large'].map((label) => ({ label, description: '' }));
const size: Question = { id: 'size', header: 'Size', question: 'Which size?', options, allowOther: true };
const name: Question = { id: 'name', header: 'Name', question: 'Which name?', allowOther: true };

test('an answer is whole when every question has one', () => {
  const chosen = { size: { choice: 1, own: '' } };
  expect(completeAnswer([size], {})).toBeNull();
  expect(completeAnswer([size], chosen)).toEqual({ size: ['Large'] });
  expect(completeAnswer([size, name], chosen)).toBeNull();
  expect(completeAnswer([size, name], { ...chosen, name: { choice: null, own: 'Ada' } })).toEqual({
    size: ['Large'],
    name: ['Ada'],
  });
});

test('own words count when they are chosen and not blank', () => {
  const own = (choice: number | 'own', text: string) =>
    completeAnswer([size], { size: { choice, own: text } });
  expect(own('own', 'medium')).toEqual({ size: ['medium'] });
  expect(own('own', '  ')).toBeNull();
  expect(own(0, 'medium')).toEqual({ size: ['Small'] });
});

test('an option that is gone and a form without questions are no answer', () => {
  expect(completeAnswer([size], { size: { choice: 7, own: '' } })).toBeNull();
  expect(completeAnswer([], {})).toBeNull();
});

test('what may be left out is, and what is one of two or several of many has its own words', () => {
  const note: Question = { id: 'note', header: '', question: 'A note', allowOther: true, optional: true };
  const agrees: Question = { ...note, id: 'agrees', field: { type: 'boolean' } };
  const sizes: Question = { ...size, id: 'sizes', allowOther: false, several: true };
  expect(completeAnswer([note], {})).toEqual({});
  expect(completeAnswer([agrees], { agrees: { choice: 1, own: '' } })).toEqual({ agrees: ['false'] });
  const both = { sizes: { choice: null, own: '', chosen: [1, 0] } };
  expect(completeAnswer([sizes], both)).toEqual({ sizes: ['Large', 'Small'] });
  expect(completeAnswer([sizes], {})).toBeNull();
});
