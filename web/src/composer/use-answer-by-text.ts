import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { useAction } from '../ui/use-action.ts';
import type { AnswerTarget } from './answer-target.ts';

/** Answers a question with what is in the text box. The text stays there until the server has the answer. */
export function useAnswerByText(actions: SessionActions, onAnswered: () => void) {
  const { busy, problem, run } = useAction();
  return {
    answering: busy,
    problem: problem && t('composer.answerFailed', { reason: problem }),
    answer: async ({ askId, question }: AnswerTarget, text: string) => {
      const answered = await run(() => actions.answer(askId, { answers: { [question.id]: [text] } }));
      if (answered) onAnswered();
    },
  };
}
