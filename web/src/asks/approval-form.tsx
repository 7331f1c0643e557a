import type { ApprovalChoice, Ask } from '@tscodex/shared/asks';
import { type MouseEvent, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import { ApprovalSubject } from './approval-subject.tsx';
import { approvalTitle } from './approval-title.ts';
import { AskHead, type Place } from './ask-head.tsx';
import styles from './asks.module.css';
import { keyOf } from './choice-keys.ts';
import { ReasonField } from './reason-field.tsx';
import { type Answer, useAnswer } from './use-answer.ts';
import { useChoiceKeys } from './use-choice-keys.ts';
import { useKept } from './use-kept.ts';

const CHOICES: readonly ApprovalChoice[] = ['once', 'session', 'decline'];

/** May the agent do this? `hasKeys`: the keys 1 to 3 answer this one. */
export function ApprovalForm(props: { ask: Ask; place: Place; answer: Answer; hasKeys: boolean }) {
  const { ask, place, hasKeys } = props;
  const { busy, give } = useAnswer(props.answer);
  const [reason, setReason] = useKept(ask.id, '');
  const [saysWhy, setSaysWhy] = useState<'no' | 'again' | 'now'>(reason === '' ? 'no' : 'again');
  const offered = ask.choices?.map(({ id }) => id) ?? CHOICES;
  const choices = CHOICES.filter((choice) => offered.includes(choice));
  const choose = (choice: ApprovalChoice) => void give({ choice });
  const form = useRef<HTMLFormElement>(null);
  useChoiceKeys(form, hasKeys && !busy, choices, choose);
  return (
    <form
      ref={form}
      className={styles.ask}
      data-ask={ask.id}
      tabIndex={-1}
      aria-label={t('asks.approval')}
      onSubmit={(event) => event.preventDefault()}
    >
      <AskHead title={approvalTitle(ask.approval)} place={place} expiresAt={ask.expiresAt} />
      {ask.approval && <ApprovalSubject approval={ask.approval} />}
      {saysWhy === 'no' ? (
        <ChoiceButtons
          {...{ choices, choose, busy, hasKeys }}
          scope={scopeOf(ask)}
          onSayWhy={() => setSaysWhy('now')}
        />
      ) : (
        <ReasonField
          {...{ reason, busy }}
          takesFocus={saysWhy === 'now'}
          onChange={setReason}
          onDecline={() => void give({ choice: 'decline', reason })}
          onCancel={() => {
            setSaysWhy('no');
            form.current?.focus();
          }}
        />
      )}
    </form>
  );
}

function ChoiceButtons(props: {
  choices: readonly ApprovalChoice[];
  choose: (choice: ApprovalChoice) => void;
  busy: boolean;
  hasKeys: boolean;
  /** What "for this session" covers. */
  scope: string;
  onSayWhy: () => void;
}) {
  const { choices, choose, busy, hasKeys, scope } = props;
  return (
    <div className={styles.buttons}>
      {choices.map((choice) => (
        <Button
          key={choice}
          look={choice === 'once' ? 'primary' : 'plain'}
          disabled={busy}
          aria-keyshortcuts={hasKeys ? keyOf(choice) : undefined}
          title={choice === 'session' ? scope : undefined}
          onClick={(event) => isFirstClick(event) && choose(choice)}
        >
          {t(`asks.${choice}`)}
          {hasKeys && (
            <span className={styles.hint} aria-hidden="true">
              <kbd>{keyOf(choice)}</kbd>
            </span>
          )}
        </Button>
      ))}
      {choices.includes('decline') && (
        <Button look="quiet" disabled={busy} onClick={props.onSayWhy}>
          {t('asks.declineWithReason')}
        </Button>
      )}
    </div>
  );
}

function scopeOf({ approval }: Ask): string {
  return t(approval?.what === 'patch' ? 'asks.scope.patch' : 'asks.scope.command');
}

/** A double click answers what it began on: the next approval has moved under the mouse by its second half. */
function isFirstClick(event: MouseEvent): boolean {
  return event.detail <= 1;
}
