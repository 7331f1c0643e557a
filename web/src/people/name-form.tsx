import { NAME_LIMIT } from '@tscodex/shared/limits';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import { isComposing } from '../ui/is-composing.ts';
import styles from './name-form.module.css';
import { nameProblem } from './name-problem.ts';
import { useRename } from './use-rename.ts';

/** One line for a name. `children`: what else can be done, beside the button that saves. */
export function NameForm(props: {
  label: ReactNode;
  name: string;
  onSaved: () => void;
  children?: ReactNode;
}) {
  const [text, setText] = useState(props.name);
  const { busy, problem, rename } = useRename();
  const id = useId();
  const wrong = nameProblem(text) ?? problem;
  const cannotSave = busy || text.trim() === '' || nameProblem(text) !== null;
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (!cannotSave && (await rename(text))) props.onSaved();
  };
  return (
    <form className={styles.form} onSubmit={(event) => void onSubmit(event)}>
      <label htmlFor={id}>{props.label}</label>
      <input
        id={id}
        type="text"
        autoComplete="nickname"
        // what is too long is said rather than cut off, where it is pasted
        maxLength={4 * NAME_LIMIT}
        placeholder={t('people.placeholder')}
        value={text}
        aria-invalid={wrong !== null}
        aria-describedby={wrong === null ? undefined : `${id}-problem`}
        onChange={(event) => setText(event.target.value)}
        // the Enter that chooses a word sends no form (O-F2)
        onKeyDown={(event) => event.key === 'Enter' && isComposing(event) && event.preventDefault()}
      />
      {wrong !== null && (
        <p id={`${id}-problem`} className={styles.problem} role="alert">
          {wrong}
        </p>
      )}
      <div className={styles.actions}>
        {props.children}
        <Button type="submit" look="primary" disabled={cannotSave}>
          {t('people.save')}
        </Button>
      </div>
    </form>
  );
}
