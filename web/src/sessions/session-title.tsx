import { RenameField } from './rename-field.tsx';
import styles from './session-header.module.css';

/** The heading of a session; a double click makes it a field. */
export function SessionTitle(props: {
  /** null while it is not known; `own` is what a person or the first message gave it. */
  title: string | null;
  own: string | null;
  renaming: boolean;
  /** null where there is nothing to rename. */
  onRename: ((title: string) => void) | null;
  onBegin: () => void;
  /** `byKey`: the focus has nowhere to go. */
  onEnd: (byKey: boolean) => void;
}) {
  const { title, onRename } = props;
  if (props.renaming && onRename)
    return <RenameField title={props.own} onSave={onRename} onEnd={props.onEnd} />;
  return (
    <h1
      className={styles.title}
      title={title ?? undefined}
      onDoubleClick={onRename ? props.onBegin : undefined}
    >
      {title}
    </h1>
  );
}
