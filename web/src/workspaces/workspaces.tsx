import type { Problem, WorkspaceSummary } from '@tscodex/shared/workspace';
import { Plus } from 'lucide-react';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import { serverSentence } from '../messages/server-sentence.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { AddDialog } from './add-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { useOrder } from './use-order.ts';
import { WorkspaceGrid } from './workspace-grid.tsx';
import styles from './workspaces.module.css';

type Opened = { what: 'add' } | { what: 'edit' | 'remove'; workspace: WorkspaceSummary };

/** All workspaces, and everything that can be done to the list of them. */
export function Workspaces(props: {
  workspaces: readonly WorkspaceSummary[];
  /** Why the list cannot be changed right now. */
  problem: Problem | null;
  /** Something above has just moved it. */
  settling: boolean;
}) {
  const { workspaces, settling } = props;
  const [opened, setOpened] = useState<Opened | null>(null);
  const [news, setNews] = useState('');
  const { shown, move, problem: notMoved } = useOrder(workspaces);
  const section = useRef<HTMLElement>(null);
  const keepOnGrip = useFocusOnGrip(section, shown);

  const close = () => setOpened(null);
  const done = (sentence: string) => {
    close();
    setNews(sentence);
  };
  const openFor = (what: 'edit' | 'remove') => (id: string) => {
    const workspace = workspaces.find((one) => one.id === id);
    if (workspace) setOpened({ what, workspace });
  };
  const onMove = (id: string, to: number) => {
    const name = shown.find((one) => one.id === id)?.name ?? id;
    if (!move(id, to)) return;
    keepOnGrip(id);
    setNews(t('workspaces.moved', { name, position: to + 1, count: shown.length }));
  };

  const add = (
    <Button look="primary" onClick={() => setOpened({ what: 'add' })}>
      <Plus size={15} aria-hidden="true" /> {t('workspaces.add')}
    </Button>
  );
  return (
    <section ref={section} aria-labelledby="workspaces">
      <Head hasSome={workspaces.length > 0}>{add}</Head>
      <p className="visually-hidden" role="status">
        {news}
      </p>
      {props.problem ? (
        <div className={styles.problem} role="alert">
          <strong>{t('workspaces.fileBroken')}</strong>
          <p>{serverSentence(props.problem)}</p>
        </div>
      ) : (
        notMoved !== null && (
          <p className={styles.problem} role="alert">
            {notMoved}
          </p>
        )
      )}
      {workspaces.length > 0 ? (
        <WorkspaceGrid
          {...{ workspaces: shown, settling, onMove }}
          onEdit={openFor('edit')}
          onRemove={openFor('remove')}
        />
      ) : (
        <Notice title={t('workspaces.empty')} text={t('workspaces.emptyText')}>
          {add}
        </Notice>
      )}
      {opened?.what === 'add' && (
        <AddDialog onClose={close} onAdded={(name) => done(t('workspaces.added', { name }))} />
      )}
      {opened?.what === 'edit' && (
        <EditDialog
          opened={opened.workspace}
          onClose={close}
          onSaved={(name) => done(t('workspaces.saved', { name }))}
        />
      )}
      {opened?.what === 'remove' && (
        <RemoveDialog
          workspace={opened.workspace}
          onClose={close}
          onRemoved={(name) => done(t('workspaces.removed', { name }))}
        />
      )}
    </section>
  );
}

function Head({ hasSome, children }: { hasSome: boolean; children: ReactNode }) {
  return (
    <header className={styles.head}>
      <h2 id="workspaces">{t('workspaces.title')}</h2>
      {hasSome && children}
    </header>
  );
}

/** Moved in the page, the grip one holds with the keyboard would lose the focus. */
function useFocusOnGrip(section: RefObject<HTMLElement | null>, order: unknown) {
  const held = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (held.current === null) return;
    section.current?.querySelector<HTMLElement>(`[data-grip="${CSS.escape(held.current)}"]`)?.focus();
    held.current = null;
  }, [order, section]);
  return (id: string) => {
    const grip = (document.activeElement as HTMLElement | null)?.dataset.grip;
    held.current = grip === id ? id : null;
  };
}
