import type { ToolCall } from '@tscodex/shared/items';
import { expect, test } from 'vitest';
import { askedQuestions } from './asked-questions.ts';

const call = (args: string, output?: string): ToolCall => ({
  id: 'i',
  type: 'toolCall',
  turnId: 't',
  status: 'completed',
  startedAt: '2026-01-01T00:00:00.000Z',
  name: 'request_user_input',
  arguments: args,
  output,
});

test('questions are shown with the answers they got', () => {
  const asked = JSON.stringify({
    questions: [
      { id: 'a', header: 'Colour', question: 'Which colour?', options: [] },
      { id: 'b', header: 'Size', question: 'How large?' },
    ],
  });
  const answered = JSON.stringify({ answers: { a: { answers: ['Blue', 'calm'] } } });
  expect(askedQuestions(call(asked, answered))).toEqual([
    { id: 'a', header: 'Colour', question: 'Which colour?', answers: ['Blue', 'calm'] },
    { id: 'b', header: 'Size', question: 'How large?', answers: [] },
  ]);
});

test.each(['', 'null', '{"questions":3}', '{"questions":[null,7]}', '[]'])('%j breaks nothing', (args) => {
  expect(askedQuestions(call(args)).every(({ answers }) => answers.length === 0)).toBe(true);
});
