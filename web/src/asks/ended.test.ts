import { expect, test } from 'vitest';
import { ApiProblem } from '../api/http.ts';
import { endingOf, endingWords } from './ended.ts';

const refused = (details: object, code = 'ask.ended') =>
  endingOf(new ApiProblem(code, 'This was already answered.', 409, { ...details }));

test.each([
  [{ outcome: 'answered', by: 'Ada', answer: { choice: 'once' } }, 'Already allowed by Ada'],
  [{ outcome: 'answered', by: 'Ada', answer: { choice: 'session' } }, 'Already allowed by Ada'],
  [
    { outcome: 'answered', by: 'Ada', answer: { choice: 'decline', reason: 'no' } },
    'Already declined by Ada',
  ],
  [
    { outcome: 'answered', by: 'Ada', answer: { choice: 'rule', rule: ['npm'] } },
    'Already allowed for good by Ada',
  ],
  [{ outcome: 'answered', by: 'Ada', answer: { choice: 'stop' } }, 'Already declined by Ada'],
  [{ outcome: 'answered', by: 'Ada', answer: { answers: { q: ['1'] } } }, 'Already answered by Ada'],
  [{ outcome: 'answered', by: null, answer: { choice: 'decline' } }, 'Already declined'],
  [{ outcome: 'answered', by: '', answer: null }, 'Already answered'],
  [{ outcome: 'withdrawn', by: null, answer: null }, 'No longer asked'],
  [{ outcome: 'expired' }, 'Expired before it was answered'],
  [{}, 'Already answered'],
])('%j', (details, words) => {
  const ending = refused(details);
  expect(ending && endingWords(ending)).toBe(words);
});

test('other failures are none', () => {
  expect(refused({ outcome: 'answered' }, 'ask.unknown')).toBeNull();
  expect(endingOf(new Error('ask.ended'))).toBeNull();
});
