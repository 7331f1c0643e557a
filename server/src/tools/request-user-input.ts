/** `request_user_input`: asks the people, and waits as long as it takes. */
import description from '@tscodex/prompts/tools/request-user-input.md';
import * as z from 'zod';
import { Failure } from '../base/errors.ts';
import { defineTool } from './tool.ts';

const option = z.strictObject({
  label: z.string().describe('One to five words.'),
  description: z.string().describe('One sentence: what choosing it means.'),
});

const question = z.strictObject({
  id: z.string().describe('Names the answer, in snake_case.'),
  header: z.string().describe('A heading of at most 12 characters.'),
  question: z.string().describe('The question, one sentence.'),
  options: z.array(option).default([]).describe('Two or three choices that exclude each other; no "Other".'),
});

const parameters = z.strictObject({
  questions: z
    .array(question)
    .min(1)
    .max(3)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'every question needs its own id')
    .describe('Preferably one, at most three.'),
});

export const requestUserInput = defineTool({
  name: 'request_user_input',
  description,
  parameters,
  shows: 'toolCall',
  async run({ questions }, context) {
    let answers: Record<string, string[]>;
    try {
      answers = await context.ask.question(questions.map((each) => ({ ...each, allowOther: true })));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { output: `request_user_input: ${error.message}`, success: false };
    }
    const output = Object.fromEntries(Object.entries(answers).map(([id, texts]) => [id, { answers: texts }]));
    return { output: JSON.stringify({ answers: output }), success: true };
  },
});
