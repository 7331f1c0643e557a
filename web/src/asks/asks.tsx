/** What the agent waits for: its questions and what it wants allowed, newest last. */
import type { SessionState } from '@tscodex/shared/session-state';
import { X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { IconButton } from '../ui/button.tsx';
import { Announcement } from './announcement.tsx';
import { ApprovalForm } from './approval-form.tsx';
import { asHeld } from './as-held.ts';
import styles from './asks.module.css';
import { endingOf, endingWords } from './ended.ts';
import { QuestionForm } from './question-form.tsx';
import { type Answer, isRuleRefusal } from './use-answer.ts';
import { useFocusHandover } from './use-focus-handover.ts';
import { useForgetClosed } from './use-kept.ts';

/** `onLast`: the focus was here, and no ask is left to have it. `hasKeys`: keys answer the first approval. */
export function Asks(props: {
  state: SessionState;
  actions: SessionActions;
  onLast: () => void;
  hasKeys?: boolean;
}) {
  const { state, actions } = props;
  // outlives the form: an ask that somebody else answered is gone before its reason can be read
  const [problem, setProblem] = useState<string | null>(null);
  const { confined, sandboxMode } = state;
  const asks = useMemo(() => state.asks.map((ask) => asHeld(ask, confined)), [state.asks, confined]);
  useForgetClosed(asks);
  const handover = useFocusHandover(asks, props.onLast);
  const keyed = props.hasKeys === false ? undefined : asks.find(({ kind }) => kind === 'approval')?.id;

  const answerTo =
    (askId: string): Answer =>
    async (answer) => {
      setProblem(null);
      try {
        await actions.answer(askId, answer);
      } catch (error) {
        if (isRuleRefusal(error)) throw error;
        const ending = endingOf(error);
        setProblem(
          ending?.by != null
            ? t('asks.tooLate', { ending: endingWords(ending) })
            : t('asks.failed', { reason: (error as Error).message }),
        );
        throw error;
      }
    };

  return (
    <div className={styles.asks}>
      <Announcement asks={asks} />
      {asks.length > 0 && (
        <div className={styles.stack} {...handover}>
          {asks.map((ask, index) => {
            const form = { ask, place: { at: index + 1, of: asks.length }, answer: answerTo(ask.id) };
            if (ask.kind === 'question') return <QuestionForm key={ask.id} {...form} />;
            const held = confined ? sandboxMode : null;
            return <ApprovalForm key={ask.id} {...form} held={held} hasKeys={ask.id === keyed} />;
          })}
        </div>
      )}
      {problem && <Problem text={problem} onDismiss={() => setProblem(null)} />}
    </div>
  );
}

function Problem({ text, onDismiss }: { text: string; onDismiss: () => void }) {
  return (
    <p className={styles.problem} role="alert">
      {text}
      <IconButton label={t('asks.dismiss')} onClick={onDismiss}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </p>
  );
}
