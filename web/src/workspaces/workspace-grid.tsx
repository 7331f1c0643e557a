import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { GripVertical } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { MoreMenu } from '../ui/more-menu.tsx';
import { BrokenCard } from './broken-card.tsx';
import { useDragOrder } from './use-drag-order.ts';
import { WorkspaceCard } from './workspace-card.tsx';
import styles from './workspace-grid.module.css';

type Props = {
  workspaces: readonly WorkspaceSummary[];
  /** Something above has just moved the cards: they take no press. */
  settling: boolean;
  onEdit: (id: string) => void;
  onRemove: (id: string) => void;
  /** `to`: its new place, from 0. */
  onMove: (id: string, to: number) => void;
};

/** The workspaces in their order, which is changed by hand, by key or from each one's menu. */
export function WorkspaceGrid(props: Props) {
  const { workspaces, settling, onMove } = props;
  const grid = useRef<HTMLUListElement>(null);
  const ids = workspaces.map(({ id }) => id);
  const { dragged, placeOf, handle } = useDragOrder(grid, ids, onMove);
  return (
    <ul ref={grid} className={styles.grid} data-settling={settling} data-dragging={dragged !== null}>
      {workspaces.map((workspace, at) => (
        <li
          key={workspace.id}
          className={styles.card}
          style={dragged === null ? undefined : { order: placeOf(workspace.id) }}
          data-dragged={dragged === workspace.id}
          data-broken={workspace.problem !== undefined}
        >
          <Card {...props} workspace={workspace} at={at} handle={handle} />
        </li>
      ))}
    </ul>
  );
}

function Card(
  props: Props & {
    workspace: WorkspaceSummary;
    at: number;
    handle: ReturnType<typeof useDragOrder>['handle'];
  },
) {
  const { workspace, at, workspaces, onMove, handle } = props;
  const { id, name } = workspace;
  const edit = () => props.onEdit(id);
  const remove = () => props.onRemove(id);
  const isLast = at === workspaces.length - 1;
  const choices = [
    { id: 'edit', label: t('workspaces.edit'), run: edit },
    { id: 'up', label: t('workspaces.moveUp'), run: at === 0 ? null : () => onMove(id, at - 1) },
    { id: 'down', label: t('workspaces.moveDown'), run: isLast ? null : () => onMove(id, at + 1) },
    { id: 'remove', label: t('workspaces.remove'), run: remove },
  ];
  const tools = (
    <>
      {workspaces.length > 1 && (
        <IconButton
          label={t('workspaces.move', { name })}
          className={styles.grip}
          aria-description={t('workspaces.moveHint')}
          data-grip={id}
          onKeyDown={(event) => {
            const by = stepOf(event);
            if (by === 0) return;
            event.preventDefault();
            onMove(id, at + by);
          }}
          {...handle(id)}
        >
          <GripVertical size={15} aria-hidden="true" />
        </IconButton>
      )}
      <span className={styles.more}>
        <MoreMenu label={t('workspaces.menu', { name })} choices={choices} />
      </span>
    </>
  );
  return workspace.problem === undefined ? (
    <WorkspaceCard workspace={workspace}>{tools}</WorkspaceCard>
  ) : (
    <BrokenCard workspace={workspace} onEdit={edit} onRemove={remove}>
      {tools}
    </BrokenCard>
  );
}

function stepOf({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): -1 | 0 | 1 {
  if (altKey || ctrlKey || metaKey) return 0;
  if (key === 'ArrowUp' || key === 'ArrowLeft') return -1;
  return key === 'ArrowDown' || key === 'ArrowRight' ? 1 : 0;
}
