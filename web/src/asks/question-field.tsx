import type { Question } from '@tscodex/shared/asks';
import { type KeyboardEvent, useId } from 'react';
import { t } from '../messages/messages.ts';
import { isComposing } from '../ui/is-composing.ts';
import styles from './asks.module.css';
import { type Entry, isOpen } from './partial-answer.ts';

type Props = {
  question: Question;
  entry: Entry;
  onChange: (entry: Entry) => void;
  onSubmit: () => void;
};

/** One question: its options, or a field for one's own words, or both. */
export function QuestionField(props: Props) {
  const { question } = props;
  return (
    <fieldset className={styles.question}>
      <legend>
        {question.header && <span className={styles.header}>{question.header}</span>}
        {question.question}
      </legend>
      {isOpen(question) ? <OwnWords {...props} /> : <Options {...props} />}
    </fieldset>
  );
}

function Options({ question, entry, onChange, onSubmit }: Props) {
  const name = useId();
  const radio = (choice: Entry['choice']) => ({
    type: 'radio',
    name,
    checked: entry.choice === choice,
    onChange: () => onChange({ ...entry, choice }),
  });
  return (
    <div className={styles.options}>
      {question.options?.map(({ label, description }, at) => (
        <label key={`${at} ${label}`} className={styles.option}>
          <input {...radio(at)} />
          <span>
            {label}
            {description && <small>{description}</small>}
          </span>
        </label>
      ))}
      {question.allowOther && (
        <div className={styles.option}>
          <label>
            <input {...radio('own')} />
            <span>{t('asks.other')}</span>
          </label>
          {entry.choice === 'own' && (
            <OwnWords question={question} entry={entry} onChange={onChange} onSubmit={onSubmit} />
          )}
        </div>
      )}
    </div>
  );
}

function OwnWords({ question, entry, onChange, onSubmit }: Props) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    onSubmit();
  };
  return (
    <textarea
      className={styles.field}
      aria-label={t('asks.otherText', { question: question.question })}
      placeholder={t('asks.ownAnswer')}
      rows={1}
      value={entry.own}
      onChange={(event) => onChange({ ...entry, own: event.target.value })}
      onKeyDown={onKeyDown}
    />
  );
}
