import { INPUT_LIMIT } from '@tscodex/shared/limits';
import type { SessionState } from '@tscodex/shared/session-state';
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { byteSize } from '../ui/quantities.ts';
import { answerTarget } from './answer-target.ts';
import { isCommand } from './completion.ts';
import type { Mode } from './mode-choice.tsx';
import { useAnswerByText } from './use-answer-by-text.ts';
import { useDraft } from './use-draft.ts';
import type { Kept } from './use-kept.ts';
import { useOutbox } from './use-outbox.ts';

export type Submit = ReturnType<typeof useSubmit>;

/**
 * The text of one session and the ways it may go: as a message, or as the answer to `target`. A text that was begun
 * before that question came is no answer to it, unless the person says so (Q15).
 */
export function useSubmit(
  state: SessionState,
  actions: SessionActions,
  { draft, outbox }: Kept,
  mode: Mode,
  onSent: () => void,
) {
  const { text, begunFor } = useDraft(draft);
  const [tooLong, setTooLong] = useState<string | null>(null);
  const byText = useAnswerByText(actions, draft);
  const { outgoing, retry, take } = useOutbox(outbox, state, actions);
  const target = isCommand(text) ? null : answerTarget(state.asks);
  const empty = text.trim() === '';
  const answers = target !== null && (text === '' || begunFor === target.askId);

  const change = (next: string) => {
    setTooLong(null);
    draft.change(next, answerTarget(state.asks)?.askId ?? null);
  };
  const sendMessage = () => {
    if (empty) return;
    const reason = sizeProblem(text);
    setTooLong(reason);
    if (reason) return;
    // a choice made in an earlier turn says nothing about a message that starts one
    const when = state.turn ? mode : 'steer';
    outbox.submit({ text, mode: when, seen: state.seq }, actions.send);
    change('');
    onSent();
  };
  const answer = () => {
    if (!empty && target) void byText.answer(target);
  };
  /** Takes a message back into the box, in front of what is there. */
  const edit = async (id: string) => {
    setTooLong(null);
    const text = await take(id);
    if (text !== null) draft.putBack(text);
  };

  return {
    text,
    change,
    empty,
    target,
    /** Whether the text goes as the answer when nothing else is said. */
    answers,
    outgoing,
    answering: byText.answering,
    problem: tooLong ?? byText.problem,
    send: answers ? answer : sendMessage,
    sendOtherwise: answers ? sendMessage : answer,
    retry,
    edit,
  };
}

/** Why the server would not take the text; null when it would. */
function sizeProblem(text: string): string | null {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= INPUT_LIMIT) return null;
  return t('composer.tooLong', { size: byteSize(bytes), limit: byteSize(INPUT_LIMIT) });
}
