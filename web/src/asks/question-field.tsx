import type { AnswerField, Question } from '@tscodex/shared/asks';
import { type KeyboardEvent, useId } from 'react';
import { t } from '../messages/messages.ts';
import { isComposing } from '../ui/is-composing.ts';
import styles from './asks.module.css';
import { type Entry, isOpen, type Option, optionsOf } from './partial-answer.ts';

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
        {question.optional && <small> {t('asks.optional')}</small>}
      </legend>
      {isOpen(question) ? (
        <OwnWords {...props} />
      ) : question.several ? (
        <SeveralOptions {...props} />
      ) : (
        <Options {...props} />
      )}
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
      {optionsOf(question).map((option, at) => (
        <label key={`${at} ${option.label}`} className={styles.option}>
          <input {...radio(at)} />
          <OptionText option={option} />
        </label>
      ))}
      {question.optional && (
        <label className={styles.option}>
          <input {...radio(null)} />
          <span>{t('asks.noAnswer')}</span>
        </label>
      )}
      {question.allowOther && !question.field && (
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

function SeveralOptions({ question, entry, onChange }: Props) {
  const { chosen = [] } = entry;
  const toggle = (at: number) =>
    onChange({ ...entry, chosen: chosen.includes(at) ? chosen.filter((n) => n !== at) : [...chosen, at] });
  return (
    <div className={styles.options}>
      {optionsOf(question).map((option, at) => (
        <label key={`${at} ${option.label}`} className={styles.option}>
          <input type="checkbox" checked={chosen.includes(at)} onChange={() => toggle(at)} />
          <OptionText option={option} />
        </label>
      ))}
    </div>
  );
}

function OptionText({ option: { label, description } }: { option: Option }) {
  return (
    <span>
      {label}
      {description && <small>{description}</small>}
    </span>
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
      placeholder={hintOf(question)}
      inputMode={isNumber(question) ? 'decimal' : undefined}
      rows={1}
      value={entry.own}
      onChange={(event) => onChange({ ...entry, own: event.target.value })}
      onKeyDown={onKeyDown}
    />
  );
}

function isNumber({ field }: Question): boolean {
  return field?.type === 'number' || field?.type === 'integer';
}

/** The same in every language. */
const FORMATS: Readonly<Record<NonNullable<AnswerField['format']>, string>> = {
  email: 'name@example.org',
  uri: 'https://…',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00',
};

/** What the empty field says: what is wanted, where not any words do. */
function hintOf({ field }: Question): string {
  if (field?.format) return FORMATS[field.format];
  const { least = null, most = null } = field ?? {};
  if (!field || field.type === 'text') return t('asks.ownAnswer');
  if (least === null && most === null) return t('asks.number');
  return t('asks.numberWithin', { least: least ?? '…', most: most ?? '…' });
}
