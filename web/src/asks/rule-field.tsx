import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { wordsOf } from '../rules/rule-words.ts';
import { useOpenRules } from '../rules/rules-context.ts';
import { Button } from '../ui/button.tsx';
import { isComposing } from '../ui/is-composing.ts';
import styles from './asks.module.css';
import { isFirstClick } from './first-click.ts';
import { isAboutGit, workspaceRunner } from './workspace-code.ts';

/** The rule that allowing for good would make, to be edited. Enter makes it, Escape goes back to the choices. */
export function RuleField(props: {
  line: string;
  busy: boolean;
  /** Why the server did not take it. */
  refused: string | null;
  /** Whether the person has just asked for it, rather than come back to it. */
  takesFocus: boolean;
  onChange: (line: string) => void;
  onAllow: (words: string[]) => void;
  onCancel: () => void;
}) {
  const { line, busy, refused, takesFocus } = props;
  const openRules = useOpenRules();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => {
    if (takesFocus) field.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  const words = wordsOf(line);
  const runner = workspaceRunner(words ?? []);
  const allow = () => {
    if (words && !busy) props.onAllow(words);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') props.onCancel();
    else if (event.key === 'Enter' && !event.repeat) allow();
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.ownWords}>
      <label htmlFor={id} className={styles.ruleLabel}>
        {t('asks.ruleLabel')}
      </label>
      <input
        ref={field}
        id={id}
        type="text"
        className={styles.rule}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={line}
        aria-invalid={refused !== null}
        aria-describedby={`${id}-about${refused === null ? '' : ` ${id}-refused`}`}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {refused !== null && (
        <p id={`${id}-refused`} className={styles.refused} role="alert">
          {refused}
        </p>
      )}
      <div id={`${id}-about`} className={styles.about}>
        <p>{t('asks.ruleAbout')}</p>
        {runner !== null && <p>{t('asks.ruleRunner', { program: runner })}</p>}
        {isAboutGit(words ?? []) && <p>{t('asks.ruleGit')}</p>}
      </div>
      <div className={styles.buttons}>
        <Button
          look="primary"
          disabled={words === null || busy}
          onClick={(event) => isFirstClick(event) && allow()}
        >
          {t('asks.allowByRule')}
        </Button>
        <Button look="quiet" onClick={(event) => isFirstClick(event) && props.onCancel()}>
          {t('ui.cancel')}
        </Button>
        <Button look="quiet" className={styles.last} aria-haspopup="dialog" onClick={openRules}>
          {t('asks.rules')}
        </Button>
      </div>
    </div>
  );
}
