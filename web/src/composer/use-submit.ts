import { INPUT_LIMIT } from '@tscodex/shared/limits';
import type { SessionState } from '@tscodex/shared/session-state';
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import type { Connection, SessionActions } from '../state/actions.ts';
import { byteSize } from '../ui/quantities.ts';
import { answerTarget } from './answer-target.ts';
import { isCommand } from './completion.ts';
import type { Kept } from './kept-sessions.ts';
import type { Mode } from './mode-choice.tsx';
import { useAnswerByText } from './use-answer-by-text.ts';
import { useDraft } from './use-draft.ts';
import { useOutbox } from './use-outbox.ts';
import { usePictures } from './use-pictures.ts';

export type Submit = ReturnType<typeof useSubmit>;

/**
 * The text of one session and the ways it may go: as a message, or as the answer to `target`. A text that was begun
 * before that question came is no answer to it, unless the person says so (Q15). Images go with messages alone.
 */
export function useSubmit(
  state: SessionState,
  actions: SessionActions,
  { draft, pictures: images, outbox }: Kept,
  mode: Mode,
  connection: Connection,
  onSent: () => void,
) {
  const { text, begunFor } = useDraft(draft);
  const [refused, setRefused] = useState<string | null>(null);
  const byText = useAnswerByText(actions, draft);
  const { outgoing, retry, take } = useOutbox(outbox, state, actions);
  const pictures = usePictures(images, connection);
  const hasImages = pictures.pictures.length > 0;
  const target = isCommand(text) || hasImages ? null : answerTarget(state.asks);
  const empty = text.trim() === '' && !hasImages;
  const answers = target !== null && (text === '' || begunFor === target.askId);

  const change = (next: string) => {
    setRefused(null);
    images.forgetProblem();
    draft.change(next, answerTarget(state.asks)?.askId ?? null);
  };
  const sendMessage = () => {
    if (empty) return;
    // a command is no message: the images wait for one
    const takes = hasImages && (!isCommand(text) || /^\/queue\s/.test(text));
    const reason = sizeProblem(text) ?? (takes ? hindranceOf(images.hindrance) : null);
    setRefused(reason);
    if (reason) return;
    // a choice made in an earlier turn says nothing about a message that starts one
    const when = state.turn ? mode : 'steer';
    const attached = takes ? { images: images.take() } : {};
    outbox.submit({ text, mode: when, seen: state.seq, ...attached }, actions.send);
    change('');
    onSent();
  };
  const answer = () => {
    if (!empty && target) void byText.answer(target);
  };
  /** Takes a message back into the box, in front of what is there. */
  const edit = async (id: string) => {
    setRefused(null);
    const message = await take(id);
    if (message === null) return;
    if (message.text !== '') draft.putBack(message.text);
    images.putBack(message.images ?? []);
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
    pictures,
    problem: refused ?? pictures.problem ?? byText.problem,
    send: answers ? answer : sendMessage,
    sendOtherwise: answers ? sendMessage : answer,
    retry,
    edit,
  };
}

function hindranceOf(hindrance: 'wait' | 'mend' | null): string | null {
  return hindrance && t(`images.${hindrance}`);
}

/** Why the server would not take the text; null when it would. */
function sizeProblem(text: string): string | null {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= INPUT_LIMIT) return null;
  return t('composer.tooLong', { size: byteSize(bytes), limit: byteSize(INPUT_LIMIT) });
}
