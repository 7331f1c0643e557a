import type { AskAnswer } from '@tscodex/shared/asks';
import { useState } from 'react';
import { useAction } from '../ui/use-action.ts';

/** Gives an answer to the server. Rejects when it was not taken; the reason is on the page by then. */
export type Answer = (answer: AskAnswer) => Promise<void>;

/** Gives one answer. It stays busy once the server has it: what is left is that the ask goes away. */
export function useAnswer(answer: Answer) {
  const { busy, run } = useAction();
  const [given, setGiven] = useState(false);
  return {
    busy: busy || given,
    give: async (value: AskAnswer) => {
      if (!given && (await run(() => answer(value)))) setGiven(true);
    },
  };
}
