import type { AskAnswer } from '@tscodex/shared/asks';
import { useState } from 'react';
import { ApiProblem } from '../api/http.ts';
import { useAction } from '../ui/use-action.ts';

/**
 * Gives an answer to the server. Rejects when it was not taken; the reason is on the page by then, unless it is
 * about a rule (`isRuleRefusal`), which is told where that is written.
 */
export type Answer = (answer: AskAnswer) => Promise<void>;

/** Whether the server did not take the rule that came with an answer. The ask is then still open. */
export function isRuleRefusal(failure: unknown): failure is ApiProblem {
  return failure instanceof ApiProblem && failure.code.startsWith('rules.');
}

/**
 * Gives one answer. It stays busy once the server has it: what is left is that the ask goes away. `refused`: why
 * the rule of the last one was not taken.
 */
export function useAnswer(answer: Answer) {
  const { busy, run } = useAction();
  const [given, setGiven] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const send = async (value: AskAnswer) => {
    setRefused(null);
    try {
      await answer(value);
    } catch (failure) {
      if (isRuleRefusal(failure)) setRefused(failure.message);
      throw failure;
    }
  };
  return {
    busy: busy || given,
    refused,
    give: async (value: AskAnswer) => {
      if (!given && (await run(() => send(value)))) setGiven(true);
    },
  };
}
