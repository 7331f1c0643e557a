import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { useAction } from '../ui/use-action.ts';
import type { AnswerTarget } from './answer-target.ts';
import type { Draft } from './draft.ts';

/** Answers a question with what is in the text box. The text comes back when the server does not take it. */
export function useAnswerByText(actions: SessionActions, draft: Draft) {
  const { busy, problem, run } = useAction();
  return {
    answering: busy,
    problem: problem && t('composer.answerFailed', { reason: problem }),
    answer: async ({ askId, question }: AnswerTarget) => {
      if (busy) return;
      const { text } = draft;
      draft.change('');
      const answered = await run(() => actions.answer(askId, { answers: { [question.id]: [text] } }));
      if (!answered) draft.putBack(text, askId);
    },
  };
}
