import { type ClipboardEvent, type KeyboardEvent, type Ref, useId } from 'react';
import { t } from '../messages/messages.ts';
import { isComposing } from '../ui/is-composing.ts';
import { CompletionList } from './completion-list.tsx';
import styles from './message-box.module.css';
import { areMeant } from './pasted-files.ts';
import { useCompletion } from './use-completion.ts';

/** Characters the box is measured by; it is at its full height long before. */
const MEASURED = 20_000;

/** Where a person writes. Enter sends, Shift+Enter makes a new line; the box grows with its text. */
export function MessageBox(props: {
  ref?: Ref<HTMLTextAreaElement> | undefined;
  text: string;
  placeholder: string;
  disabled: boolean;
  onChange: (text: string) => void;
  onFiles: (files: readonly File[]) => void;
  onSend: () => void;
  /** An arrow up with nothing written. */
  onRecall: () => void;
}) {
  const { text, placeholder, disabled, onChange, onSend } = props;
  const listId = useId();
  const completion = useCompletion(text, onChange);
  const open = completion.options.length > 0;

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const sends = event.key === 'Enter' && !event.shiftKey && !event.altKey;
    if (completion.takesKey(event)) event.preventDefault();
    else if (sends) {
      event.preventDefault();
      if (!event.repeat) onSend();
    } else if (event.key === 'ArrowUp' && text === '' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      props.onRecall();
    }
  };

  const onPaste = (event: ClipboardEvent) => {
    const { clipboardData } = event;
    const files = [...clipboardData.files];
    if (!areMeant(files, clipboardData.getData('text/plain'))) return;
    event.preventDefault();
    props.onFiles(files);
  };

  return (
    <div className={styles.box}>
      {open && <CompletionList id={listId} {...completion} />}
      <div className={styles.measure} aria-hidden="true">
        {`${text.slice(0, MEASURED) || placeholder}\n`}
      </div>
      <textarea
        ref={props.ref}
        className={styles.text}
        aria-label={t('composer.message')}
        aria-keyshortcuts="Enter Control+Enter Meta+Enter"
        aria-autocomplete="list"
        aria-controls={open ? listId : undefined}
        aria-activedescendant={open ? `${listId}-${completion.chosen}` : undefined}
        enterKeyHint="send"
        rows={1}
        value={text}
        placeholder={placeholder}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </div>
  );
}
