import type { ToolCall } from '@tscodex/shared/items';

/** The tool whose calls are questions to people. */
export const QUESTION_TOOL = 'request_user_input';

export type AskedQuestion = { id: string; header: string; question: string; answers: string[] };

/** Read from the call's arguments and its result; the model wrote the former, so anything may be missing. */
export function askedQuestions({ arguments: asked, output }: ToolCall): AskedQuestion[] {
  const { questions } = record(parse(asked));
  const { answers } = record(parse(output ?? ''));
  if (!Array.isArray(questions)) return [];
  return questions.map(record).map((question) => ({
    id: String(question.id),
    header: String(question.header ?? question.id),
    question: String(question.question ?? ''),
    answers: strings(record(record(answers)[String(question.id)]).answers),
  }));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null; // no JSON: nothing to show of it
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
