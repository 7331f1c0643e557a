import { TITLE_LIMIT } from '@tscodex/shared/limits';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { isComposing } from '../ui/is-composing.ts';
import styles from './rename-field.module.css';

/** A session's title as a field, in its place. Enter and leaving it save, Escape does not. */
export function RenameField({
  title,
  onSave,
  onEnd,
}: {
  title: string | null;
  /** Only for a title that is another one; empty: none of its own. */
  onSave: (title: string) => void;
  /** The field has done its work; `byKey`: the focus has nowhere to go. */
  onEnd: (byKey: boolean) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  const end = (saves: boolean, byKey: boolean) => {
    // taken out of the page it loses the focus once more
    if (ended.current) return;
    ended.current = true;
    const next = field.current?.value.trim() ?? '';
    if (saves && next !== (title ?? '')) onSave(next);
    onEnd(byKey);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    end(event.key === 'Enter', true);
  };
  return (
    <input
      ref={field}
      type="text"
      className={styles.field}
      aria-label={t('sessions.titleField')}
      defaultValue={title ?? ''}
      placeholder={t('sessions.untitled')}
      maxLength={TITLE_LIMIT}
      autoComplete="off"
      onKeyDown={onKeyDown}
      onBlur={() => end(true, false)}
    />
  );
}
