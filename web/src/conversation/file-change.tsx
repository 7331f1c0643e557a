import type { FileChange, FileEdit } from '@tscodex/shared/items';
import { t } from '../messages/messages.ts';
import { FileEditCard } from '../ui/file-edit.tsx';
import { allowedBy } from './allowed-by.ts';
import { decidedBy } from './decided-by.ts';
import styles from './file-change.module.css';
import type { ItemProps } from './item-props.ts';
import { useChoice } from './open-items.ts';

/** Opened or closed as somebody left it. */
function KeptFileEdit({ id, edit, status }: { id: string; edit: FileEdit; status: FileChange['status'] }) {
  const [choice, choose] = useChoice(id, `${edit.kind} ${edit.path}`);
  return <FileEditCard edit={edit} status={status} choice={choice} onChoose={choose} />;
}

/** A patch: each file it touches, who allowed it, and why it was not applied where it was not. */
export function FileChangeView({ item }: ItemProps<FileChange>) {
  const { status, changes } = item;
  const decided = decidedBy(item.decision) || allowedBy(item.allowance);
  return (
    <div className={styles.change}>
      {status !== 'completed' && status !== 'inProgress' && (
        <p className={styles.problem}>
          <strong>{t('conversation.notApplied')}</strong>:{' '}
          {item.error ?? ((status === 'declined' && decided) || t(`conversation.${status}`))}
        </p>
      )}
      {changes.map((edit) => (
        <KeptFileEdit key={`${edit.kind} ${edit.path}`} id={item.id} edit={edit} status={status} />
      ))}
      {decided && status !== 'declined' && <p className={styles.decided}>{decided}</p>}
    </div>
  );
}
