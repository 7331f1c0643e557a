import type { Question } from '@tscodex/shared/asks';
import { expect, test } from 'vitest';
import { requestUserInput } from './request-user-input.ts';
import type { ToolContext } from './tool.ts';

function call(questions: unknown, answers: Record<string, string[]> = {}) {
  const asked: Question[][] = [];
  const ask = {
    async question(all: Question[]) {
      asked.push(all);
      return answers;
    },
  };
  const result = requestUserInput.call(JSON.stringify({ questions }), { ask } as unknown as ToolContext);
  return { asked, result };
}

const color = { id: 'color', header: 'Color', question: 'Which color?' };
const options = [
  { label: 'Blue (Recommended)', description: 'Calm.' },
  { label: 'Red', description: 'Loud.' },
];

test('asks and answers in the form of Codex, as compact JSON', async () => {
  const { asked, result } = call(
    [
      { ...color, options },
      { ...color, id: 'why' },
    ],
    {
      color: ['Blue (Recommended)'],
      why: ['it is', 'calm'],
    },
  );
  expect(await result).toEqual({
    output: '{"answers":{"color":{"answers":["Blue (Recommended)"]},"why":{"answers":["it is","calm"]}}}',
    success: true,
  });
  expect(asked).toEqual([
    [
      { ...color, options, allowOther: true },
      { ...color, id: 'why', options: [], allowOther: true },
    ],
  ]);
});

test.each([
  ['no question', []],
  ['four questions', ['a', 'b', 'c', 'd'].map((id) => ({ ...color, id }))],
  ['two questions of one id', [color, color]],
])('%s is refused before anybody is asked', async (_, questions) => {
  const { asked, result } = call(questions);
  expect(await result).toMatchObject({
    success: false,
    output: expect.stringMatching(/^request_user_input: /),
  });
  expect(asked).toEqual([]);
});
