import type { SessionState } from '@tscodex/shared/session-state';
import { type FormEvent, useId, useState } from 'react';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { useDirectories } from '../state/use-directories.ts';
import { Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useTilde } from '../ui/home-directory.ts';
import { useAction } from '../ui/use-action.ts';
import styles from './new-session-dialog.module.css';

/** Another directory for a session's commands to start in. */
export function DirectoryDialog(props: {
  state: SessionState;
  actions: SessionActions;
  onClose: () => void;
}) {
  const { state, actions } = props;
  const cwd = useTilde()(state.cwd);
  const id = useId();
  const [dir, setDir] = useState('');
  const suggested = useDirectories(dir, state.workspaceId);
  const { busy, problem, run } = useAction();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await run(() => actions.change({ cwd: dir.trim() || '.' }))) props.onClose();
  };
  return (
    <Dialog title={t('sessions.directory')} onClose={props.onClose}>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <label htmlFor={`${id}-dir`}>{t('sessions.directory')}</label>
        <Combobox
          id={`${id}-dir`}
          value={dir}
          options={suggested.directories}
          optionsOf={suggested.of}
          onChange={setDir}
          listLabel={t('sessions.directories')}
          placeholder={cwd}
          maxLength={4096}
          describedBy={`${id}-hint`}
          invalid={problem !== null}
        />
        <p id={`${id}-hint`} className={styles.hint}>
          {t('sessions.changeDirectoryHint')}
        </p>
        {problem !== null && (
          <p className={styles.problem} role="alert">
            {t('sessions.directoryNotChanged', { reason: problem })}
          </p>
        )}
        <div className={styles.actions}>
          <Button onClick={props.onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" look="primary" disabled={busy}>
            {t('sessions.change')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
