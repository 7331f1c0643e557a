import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { t } from '../messages/messages.ts';
import { serverSentence } from '../messages/server-sentence.ts';
import { useServices } from '../state/services.ts';
import { changeWorkspace, refreshOverview } from '../state/workspace-actions.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/use-action.ts';
import styles from './workspace-card.module.css';

/** A workspace that cannot be used: why, and what can be done about it. */
export function BrokenCard(props: {
  workspace: WorkspaceSummary;
  onEdit: () => void;
  onRemove: () => void;
  children: ReactNode;
}) {
  const { workspace, onEdit, onRemove } = props;
  const services = useServices();
  const id = useId();
  const { busy, problem, run } = useAction();
  const createDirectory = async () => {
    try {
      await changeWorkspace(services.api, workspace.id, { revision: workspace.revision, createDir: true });
    } catch (error) {
      // should it be that somebody changed the entry, then what is shown is old
      await refreshOverview(services).catch(() => undefined);
      throw error;
    }
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={styles.problem} tabIndex={0} aria-labelledby={`${id}-broken ${id}-name`}>
        <p>
          <strong id={`${id}-broken`}>
            <TriangleAlert size={15} aria-hidden="true" /> {t('workspaces.broken')}
          </strong>
        </p>
        <p>{workspace.problem && serverSentence(workspace.problem)}</p>
      </section>
      <div className={styles.body}>
        <div className={styles.head}>
          <h3 id={`${id}-name`} className={styles.name} title={workspace.name}>
            {workspace.name}
          </h3>
          {props.children}
        </div>
        <code className={styles.dir} title={workspace.dir}>
          {workspace.dir}
        </code>
        {problem !== null && (
          <p className={styles.failed} role="alert">
            {problem}
          </p>
        )}
        <div className={styles.fixes}>
          {workspace.problem?.code === 'entry.dirMissing' && (
            <Button look="primary" disabled={busy} onClick={() => void run(createDirectory)}>
              {t('workspaces.createDir')}
            </Button>
          )}
          <Button onClick={onEdit}>{t('workspaces.fix')}</Button>
          <Button look="quiet" onClick={onRemove}>
            {t('workspaces.remove')}
          </Button>
        </div>
      </div>
    </>
  );
}
