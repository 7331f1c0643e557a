import type { FileChange } from '@tscodex/shared/items';
import { t } from '../messages/messages.ts';
import { FileEditCard } from '../ui/file-edit.tsx';
import styles from './file-change.module.css';
import type { ItemProps } from './item-props.ts';

/** A patch: each file it touches, and why it was not applied where it was not. */
export function FileChangeView({ item }: ItemProps<FileChange>) {
  const { status, changes } = item;
  return (
    <div className={styles.change}>
      {status !== 'completed' && status !== 'inProgress' && (
        <p className={styles.problem}>
          <strong>{t('conversation.notApplied')}</strong>: {item.error ?? t(`conversation.${status}`)}
        </p>
      )}
      {changes.map((edit) => (
        <FileEditCard key={`${edit.kind} ${edit.path}`} edit={edit} status={status} />
      ))}
    </div>
  );
}
