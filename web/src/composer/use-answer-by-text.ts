import { useState } from 'react';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import type { answerTarget } from './answer-target.ts';

/** Answers a question with what is in the text box. The text stays there until the server has the answer. */
export function useAnswerByText(actions: SessionActions, onAnswered: () => void) {
  const [answering, setAnswering] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const answer = async ({ askId, question }: NonNullable<ReturnType<typeof answerTarget>>, text: string) => {
    if (answering) return;
    setAnswering(true);
    setProblem(null);
    try {
      await actions.answer(askId, { answers: { [question.id]: [text] } });
      onAnswered();
    } catch (error) {
      setProblem(t('composer.answerFailed', { reason: (error as Error).message }));
    } finally {
      setAnswering(false);
    }
  };
  return { answering, problem, answer };
}
