import type { Ask, Question } from '@tscodex/shared/asks';
import { expect, test } from 'vitest';
import { answerTarget } from './answer-target.ts';

const question = (id: string, more: Partial<Question> = {}): Question => ({
  id,
  header: 'H',
  question: `${id}?`,
  allowOther: true,
  ...more,
});
const ask = (id: string, questions?: Question[]): Ask => ({
  id,
  sessionId: 's',
  turnId: 't',
  kind: questions ? 'question' : 'approval',
  openedAt: '2026-01-01T00:00:00.000Z',
  ...(questions ? { questions } : {}),
});
const options = [{ label: 'A', description: '' }];

test('text answers the oldest open question, not an approval', () => {
  const asks = [ask('1'), ask('2', [question('a')]), ask('3', [question('b')])];
  expect(answerTarget(asks)).toEqual({ askId: '2', question: question('a') });
});

test('a question without options takes own words even when it does not say so', () => {
  const plain = question('a', { allowOther: false });
  expect(answerTarget([ask('1', [plain])])?.question).toBe(plain);
});

test('options alone, several questions and nothing open are no target', () => {
  expect(answerTarget([ask('1', [question('a', { allowOther: false, options })])])).toBeNull();
  expect(answerTarget([ask('1', [question('a'), question('b')])])).toBeNull();
  expect(answerTarget([ask('1')])).toBeNull();
  expect(answerTarget([])).toBeNull();
});
