import type { ApprovalChoice, Ask } from '@tscodex/shared/asks';
import { useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import { lineOf } from '../rules/rule-words.ts';
import { TrueText } from '../ui/true-text.tsx';
import { ApprovalSubject } from './approval-subject.tsx';
import { approvalTitle } from './approval-title.ts';
import { AskHead, type Place } from './ask-head.tsx';
import styles from './asks.module.css';
import { ChoiceButtons } from './choice-buttons.tsx';
import { ReasonField } from './reason-field.tsx';
import { RuleField } from './rule-field.tsx';
import { type Answer, useAnswer } from './use-answer.ts';
import { useChoiceKeys } from './use-choice-keys.ts';
import { useKept } from './use-kept.ts';

const CHOICES: readonly ApprovalChoice[] = ['once', 'session', 'decline'];

/** What is being written; `again`: it was before the page was loaded or the session left. */
type Writing = { what: 'nothing' } | { what: 'reason' | 'rule'; since: 'again' | 'now' };
const NOTHING: Writing = { what: 'nothing' };

/** May the agent do this? `held`: what holds the session's commands in; `hasKeys`: the keys 1 to 4 answer this one. */
export function ApprovalForm(props: {
  ask: Ask;
  place: Place;
  answer: Answer;
  held: string | null;
  hasKeys: boolean;
}) {
  const { ask, place, hasKeys } = props;
  const { busy, refused, give } = useAnswer(props.answer);
  const [reason, setReason] = useKept(ask.id, '');
  const proposed = lineOf(ask.approval?.rule ?? []);
  const [line, setLine] = useKept(ask.id, proposed, 'rule');
  const [writing, setWriting] = useState<Writing>(() => {
    if (line !== proposed) return { what: 'rule', since: 'again' };
    return reason === '' ? NOTHING : { what: 'reason', since: 'again' };
  });
  const choices = ask.choices?.map(({ id }) => id) ?? CHOICES;
  const choose = (choice: ApprovalChoice) => {
    if (choice === 'rule') setWriting({ what: 'rule', since: 'now' });
    else void give({ choice });
  };
  const form = useRef<HTMLFormElement>(null);
  useChoiceKeys(form, hasKeys && !busy, choices, choose);
  const field = {
    busy,
    takesFocus: writing.what !== 'nothing' && writing.since === 'now',
    onCancel: () => {
      setWriting(NOTHING);
      form.current?.focus();
    },
  };
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
      {ask.approval && <ApprovalSubject approval={ask.approval} held={props.held} />}
      {writing.what === 'nothing' && choices.includes('rule') && (
        <p className={styles.facts}>
          <span>
            {t('asks.ruleOffered')}{' '}
            <code>
              <TrueText text={line} />
            </code>
          </span>
        </p>
      )}
      {ask.approval?.noRule && <p className={styles.about}>{t(`asks.noRule.${ask.approval.noRule}`)}</p>}
      {writing.what === 'nothing' && (
        <ChoiceButtons
          {...{ ask, choices, choose, busy, hasKeys }}
          onSayWhy={() => setWriting({ what: 'reason', since: 'now' })}
        />
      )}
      {writing.what === 'reason' && (
        <ReasonField
          {...field}
          reason={reason}
          onChange={setReason}
          onDecline={() => void give({ choice: 'decline', reason })}
        />
      )}
      {writing.what === 'rule' && (
        <RuleField
          {...field}
          {...{ line, refused }}
          onChange={setLine}
          onAllow={(rule) => void give({ choice: 'rule', rule })}
        />
      )}
    </form>
  );
}
