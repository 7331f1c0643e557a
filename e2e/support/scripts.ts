/** Several conversations at once with one scripted provider: their requests come in any order. */
import type { Answer, FakeModel, ModelRequest, Step } from './fake-model.ts';

export type Scripts = Record<string, (Step[] | ((request: ModelRequest) => Step[]))[]>;

/** Answers each conversation by the script under its words; one that has none left has nothing to add. */
export function follow(model: FakeModel, scripts: Scripts, wordsOf = begunBy): void {
  const answer: Answer = (request) => {
    const next = scripts[wordsOf(request)]?.shift() ?? [{ text: 'Nothing to add.' }];
    return typeof next === 'function' ? next(request) : next;
  };
  model.answer(...Array.from({ length: 60 }, () => answer));
}

/** The first words of a person, or of the agent that has started this one. */
export function begunBy(request: ModelRequest): string {
  return saidIn(request)[0] ?? '';
}

/** The last of them: those of forks begin alike. */
export function askedLast(request: ModelRequest): string {
  return saidIn(request).at(-1) ?? '';
}

function saidIn({ input }: ModelRequest): string[] {
  return input.flatMap(({ role, content }) => {
    if (role !== 'user') return [];
    const text = (content as { text?: string }[]).map((part) => part.text ?? '').join('');
    return /^(<|# AGENTS)/.test(text) ? [] : [text];
  });
}

export const spawn = (message: string): Step => ({ call: 'spawn_agent', args: { message } });

/** The rest of an answer that does not come. */
export const never: Step = { wait: new Promise(() => undefined) };
