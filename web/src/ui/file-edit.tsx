import type { FileEdit, ItemStatus } from '@tscodex/shared/items';
import { ChevronRight } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { t } from '../messages/messages.ts';
import { parseDiff } from './diff-rows.ts';
import { DiffTable } from './diff-table.tsx';
import styles from './file-edit.module.css';
import { TrueText } from './true-text.tsx';
import { useShortPath } from './work-directory.ts';

/** A diff of more rows than this is closed until somebody wants to see it. */
const SHORT = 60;

/** One file of a patch: what became of it, how much changed, and the change. `status` null: only proposed. */
export function FileEditCard(props: {
  edit: FileEdit;
  status: ItemStatus | null;
  /** Whether somebody has opened or closed it, and what to do when they do; else the card remembers it itself. */
  choice?: boolean | undefined;
  onChoose?: (open: boolean) => void;
}) {
  const { edit, status } = props;
  const diff = useMemo(() => parseDiff(edit.diff), [edit.diff]);
  const [own, setOwn] = useState<boolean>();
  const open = props.choice ?? own ?? diff.rows.length <= SHORT;
  const choose = props.onChoose ?? setOwn;
  const bodyId = useId();
  const short = useShortPath();
  const from = short(edit.path);
  const path = edit.movedTo ? t('ui.movedTo', { from, to: short(edit.movedTo) }) : from;
  return (
    <div className={styles.card} data-dim={(status !== null && status !== 'completed') || undefined}>
      <button
        type="button"
        className={styles.head}
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        onClick={() => choose(!open)}
      >
        <ChevronRight size={13} aria-hidden="true" />
        <span className={styles.verb}>{verbOf(edit, status)}</span>
        <code className={styles.path}>
          <bdi>
            <TrueText text={path} />
          </bdi>
        </code>
        <span className={styles.counts}>
          <ins>
            <span aria-hidden="true">+{diff.added}</span>
            <span className="visually-hidden">{t('ui.linesAdded', { count: diff.added })}</span>
          </ins>{' '}
          <del>
            <span aria-hidden="true">−{diff.removed}</span>
            <span className="visually-hidden">{t('ui.linesRemoved', { count: diff.removed })}</span>
          </del>
        </span>
      </button>
      {open && (
        <div id={bodyId} className={styles.body}>
          <DiffTable label={t('ui.diffOf', { path })} rows={diff.rows} />
        </div>
      )}
    </div>
  );
}

const verbs = {
  add: 'ui.added',
  update: 'ui.edited',
  delete: 'ui.deleted',
  move: 'ui.moved',
} as const;
const proposals = {
  add: 'ui.add',
  update: 'ui.edit',
  delete: 'ui.delete',
  move: 'ui.move',
} as const;

function verbOf({ kind }: FileEdit, status: ItemStatus | null): string {
  return t(status === 'completed' ? verbs[kind] : proposals[kind]);
}
