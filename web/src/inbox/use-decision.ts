import type { ApprovalChoice } from '@tscodex/shared/asks';
import { useState } from 'react';
import type { ApiProblem } from '../api/http.ts';
import { endingOf, endingWords } from '../asks/ended.ts';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { sessionActions } from '../state/session-actions.ts';
import { askedBy, type Waiting } from './waiting.ts';

export type Decision =
  | { phase: 'open' | 'sending' }
  /** It was not taken, and can be tried again. */
  | { phase: 'failed'; reason: string }
  | { phase: 'over'; words: string };

/** Allowing or declining one approval from the list. Who was first counts; the others are told who that was. */
export function useDecision(waiting: Waiting): {
  decision: Decision;
  decide: (choice: ApprovalChoice) => Promise<void>;
} {
  const { api } = useServices();
  const [decision, setDecision] = useState<Decision>({ phase: 'open' });
  const decide = async (choice: ApprovalChoice) => {
    if (decision.phase === 'sending' || decision.phase === 'over') return;
    setDecision({ phase: 'sending' });
    try {
      await sessionActions(api, askedBy(waiting)).answer(waiting.key, { choice });
      setDecision({ phase: 'over', words: t(choice === 'decline' ? 'inbox.declined' : 'inbox.allowed') });
    } catch (error) {
      setDecision(failed(error as ApiProblem));
    }
  };
  return { decision, decide };
}

function failed(problem: ApiProblem): Decision {
  const ending = endingOf(problem);
  if (ending) return { phase: 'over', words: endingWords(ending) };
  if (problem.status === 404) return { phase: 'over', words: t('inbox.gone') };
  return { phase: 'failed', reason: problem.message };
}
