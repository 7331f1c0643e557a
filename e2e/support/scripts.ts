/** Several conversations at once with one scripted provider: their requests come in any order. */
import type { Answer, FakeModel, ModelRequest, Step } from './fake-model.ts';

/** Answers each conversation by the script under its first words; what has none left has nothing to add. */
export function follow(model: FakeModel, scripts: Record<string, Step[][]>): void {
  const answer: Answer = (request) => scripts[begunBy(request)]?.shift() ?? [{ text: 'Nothing to add.' }];
  model.answer(...Array.from({ length: 30 }, () => answer));
}

/** The first words of a person, or of the agent that has started this one. */
export function begunBy({ input }: ModelRequest): string {
  for (const { role, content } of input) {
    if (role !== 'user') continue;
    const text = (content as { text?: string }[]).map((part) => part.text ?? '').join('');
    if (!/^(<|# AGENTS)/.test(text)) return text;
  }
  return '';
}

export const spawn = (message: string): Step => ({ call: 'spawn_agent', args: { message } });

/** The rest of an answer that does not come. */
export const never: Step = { wait: new Promise(() => undefined) };
