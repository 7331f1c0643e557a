import { WORKSPACE_NAME_LIMIT } from '@tscodex/shared/limits';
import { type ReactNode, type SyntheticEvent, useId, useState } from 'react';
import { t } from '../messages/messages.ts';
import { isSetting, nameOf, SETTINGS, VALUES } from '../permissions/settings.ts';
import { useDirectories } from '../state/use-directories.ts';
import { Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { type Field, type Fields, isTooLong, type TextField, type Typed } from './entry-edit.ts';
import styles from './entry-form.module.css';

/** What was refused, and beside which field the sentence belongs; null: it is about all of it. */
export type Refusal = { code: string; place: Field | null; sentence: string };

type Props = {
  /** As they stand in the fields. */
  values: Fields;
  /** What an empty field means. */
  defaults: Fields;
  hasBoard: boolean;
  hasSettings: boolean;
  /** What others wrote meanwhile into fields that were touched here. */
  theirs?: Typed;
  refusal: Refusal | null;
  busy: boolean;
  submit: string;
  onChange: (field: Field, text: string) => void;
  onSubmit: () => void;
  onCancel: () => void;
  /** Above the buttons. */
  children?: ReactNode;
};

/** The entry of a workspace, to be filled in. */
export function EntryForm(props: Props) {
  const { values, busy, refusal, submit } = props;
  const suggested = useDirectories(values.dir);
  const nameTooLong = isTooLong(values.name);
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!busy && !nameTooLong) props.onSubmit();
  };
  const text = (field: TextField, input: FieldInput) => (
    <input
      {...input.attributes}
      type="text"
      autoComplete="off"
      spellCheck={false}
      className={styles.input}
      placeholder={props.defaults[field]}
      value={values[field]}
      onChange={(event) => props.onChange(field, event.target.value)}
    />
  );
  return (
    <form className={styles.form} onSubmit={send}>
      <FieldRow
        {...props}
        field="name"
        problem={nameTooLong ? t('workspaces.nameTooLong', { count: WORKSPACE_NAME_LIMIT }) : null}
      >
        {(input) => text('name', input)}
      </FieldRow>
      <FieldRow {...props} field="dir" hint={t('workspaces.dirHint')}>
        {({ attributes }) => (
          <Combobox
            id={attributes.id}
            value={values.dir}
            options={suggested.directories}
            optionsOf={suggested.of}
            listLabel={t('workspaces.dirs')}
            placeholder={props.defaults.dir}
            describedBy={attributes['aria-describedby']}
            invalid={attributes['aria-invalid']}
            onChange={(dir) => props.onChange('dir', dir)}
          />
        )}
      </FieldRow>
      {props.hasBoard && (
        <FieldRow {...props} field="board" hint={t('workspaces.boardHint')}>
          {(input) => text('board', input)}
        </FieldRow>
      )}
      {props.hasSettings && <Settings {...props} />}
      {props.children}
      {refusal?.place === null && (
        <p className={styles.refusal} role="alert">
          {refusal.sentence}
        </p>
      )}
      <div className={styles.actions}>
        <Button onClick={props.onCancel}>{t('ui.cancel')}</Button>
        <Button type="submit" look="primary" disabled={busy || nameTooLong}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

/** What its sessions may do, each left to the server's configuration or chosen. */
function Settings(props: Props) {
  // closed where there is nothing to see in it
  const [startsOpen] = useState(() =>
    SETTINGS.some((setting) => props.values[setting] !== '' || props.refusal?.place === setting),
  );
  return (
    <details className={styles.settings} open={startsOpen}>
      <summary>{t('permissions.title')}</summary>
      <p className={styles.hint}>{t('permissions.workspaceHint')}</p>
      {SETTINGS.map((setting) => (
        <FieldRow key={setting} {...props} field={setting}>
          {({ attributes }) => (
            <select
              {...attributes}
              className={styles.input}
              value={props.values[setting]}
              onChange={(event) => props.onChange(setting, event.target.value)}
            >
              <option value="">{t('permissions.fromServer')}</option>
              {VALUES[setting].map(({ value, name }) => (
                <option key={value} value={value}>
                  {t(name)}
                </option>
              ))}
            </select>
          )}
        </FieldRow>
      ))}
    </details>
  );
}

type FieldInput = {
  attributes: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean };
};

function FieldRow(
  props: Pick<Props, 'theirs' | 'refusal' | 'onChange'> & {
    field: Field;
    hint?: string;
    problem?: string | null;
    children: (input: FieldInput) => ReactNode;
  },
) {
  const { field, refusal, hint } = props;
  const id = useId();
  const problem = props.problem ?? (refusal?.place === field ? refusal.sentence : null);
  const other = props.theirs?.[field];
  const said = [hint && `${id}-hint`, problem && `${id}-problem`, other !== undefined && `${id}-theirs`];
  const describedBy = said.filter(Boolean).join(' ') || undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{labelOf(field)}</label>
      {props.children({
        attributes: { id, 'aria-describedby': describedBy, 'aria-invalid': problem !== null },
      })}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {problem !== null && (
        <p id={`${id}-problem`} className={styles.refusal} role="alert">
          {problem}
        </p>
      )}
      {other !== undefined && (
        <p id={`${id}-theirs`} className={styles.theirs} role="status">
          <span>
            {t('workspaces.theirs')} <code>{wordsOf(field, other)}</code>
          </span>
          <Button look="quiet" onClick={() => props.onChange(field, other)}>
            {t('workspaces.useTheirs')}
          </Button>
        </p>
      )}
    </div>
  );
}

function labelOf(field: Field): string {
  return isSetting(field) ? t(`permissions.${field}`) : t(`workspaces.${field}`);
}

/** What a field holds, as it is shown. */
function wordsOf(field: Field, value: string): string {
  if (!isSetting(field)) return value;
  return value === '' ? t('permissions.fromServer') : t(nameOf(field, value));
}
