import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { useStore } from 'zustand';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { removeWorkspace } from '../state/workspace-actions.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useAction } from '../ui/use-action.ts';
import { countUnfinished } from './counts.ts';
import styles from './entry-form.module.css';

/** Asks before a workspace leaves the list: what stays, and what that ends. */
export function RemoveDialog(props: {
  workspace: WorkspaceSummary;
  onClose: () => void;
  onRemoved: (name: string) => void;
}) {
  const { workspace, onClose, onRemoved } = props;
  const { name, dir } = workspace;
  const { api, overview } = useServices();
  const { workspaces } = useStore(overview);
  const { busy, problem, run } = useAction();
  // what is at work changes while one reads this
  const now = workspaces?.find(({ id }) => id === workspace.id) ?? workspace;
  const unfinished = countUnfinished(now.sessions);
  const remove = async () => {
    if (await run(() => removeWorkspace(api, workspace.id))) onRemoved(name);
  };
  return (
    <Dialog title={t('workspaces.removeTitle', { name })} onClose={onClose}>
      <div className={styles.form}>
        <p>{t('workspaces.removeText')}</p>
        {dir !== '' && <code className={styles.path}>{dir}</code>}
        {unfinished > 0 && (
          <p className={styles.note}>{t('workspaces.removeRunning', { count: unfinished })}</p>
        )}
        {problem !== null && (
          <p className={styles.refusal} role="alert">
            {problem}
          </p>
        )}
        <div className={styles.actions}>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button look="primary" disabled={busy} onClick={() => void remove()}>
            {t(busy ? 'workspaces.removing' : 'workspaces.removeConfirm')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
