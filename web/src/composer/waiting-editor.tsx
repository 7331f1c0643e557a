import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useId } from 'react';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { isComposing } from '../ui/is-composing.ts';
import { useAction } from '../ui/use-action.ts';
import styles from './waiting-editor.module.css';

/**
 * New words, or another turn, for a message that waits. It stays open when the agent takes the message meanwhile:
 * what was typed is not lost.
 */
export function WaitingEditor(props: {
  id: string;
  /** Its words as they are saved, and as they are written here. */
  before: string;
  text: string;
  /** Its place among those that wait as it does, and how many they are; null when it waits no more. */
  place: { at: number; of: number } | null;
  actions: SessionActions;
  onChange: (text: string) => void;
  onClose: () => void;
}) {
  const { id, text, place, actions } = props;
  const saving = useAction();
  const moving = useAction();
  const fieldId = useId();
  const move = (position: number) => void moving.run(() => actions.changeInput(id, { position }));
  const save = async () => {
    if (text.trim() === '' || place === null) return;
    const isSaved = text === props.before || (await saving.run(() => actions.changeInput(id, { text })));
    if (isSaved) props.onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') props.onClose();
    else if (event.key === 'Enter' && !event.shiftKey) void save();
    else return;
    event.preventDefault();
  };
  const problem = saving.problem ?? moving.problem ?? (place === null ? t('composer.takenMeanwhile') : null);
  return (
    <div className={styles.editor}>
      <label htmlFor={`${fieldId}-text`}>{t('composer.editWaiting')}</label>
      <textarea
        id={`${fieldId}-text`}
        rows={3}
        value={text}
        onChange={(event) => props.onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.actions}>
        {place !== null && place.of > 1 && (
          <span className={styles.order}>
            <IconButton
              label={t('composer.earlier')}
              disabled={place.at === 0 || moving.busy}
              onClick={() => move(place.at - 1)}
            >
              <ChevronLeft size={15} aria-hidden="true" />
            </IconButton>
            {t('composer.place', { at: place.at + 1, of: place.of })}
            <IconButton
              label={t('composer.later')}
              disabled={place.at === place.of - 1 || moving.busy}
              onClick={() => move(place.at + 1)}
            >
              <ChevronRight size={15} aria-hidden="true" />
            </IconButton>
          </span>
        )}
        <Button onClick={props.onClose}>{t('ui.cancel')}</Button>
        <Button
          look="primary"
          disabled={saving.busy || place === null || text.trim() === ''}
          onClick={() => void save()}
        >
          {t('composer.saveWaiting')}
        </Button>
      </div>
    </div>
  );
}
