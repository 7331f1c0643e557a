import { useState } from 'react';
import { t } from '../messages/messages.ts';
import { classes } from '../ui/classes.ts';
import { Capsule } from './capsule.tsx';
import styles from './capsules.module.css';
import type { Waiting } from './capsules.tsx';
import type { Mode } from './mode-choice.tsx';

/** So many fit into one row beside the session's status. */
const SHOWN = 3;

/** The element id of the button that changes a waiting message. */
export const editButtonId = (id: string) => `edit-${id}`;

/** What waits in one way, in order: one row, and the rest on request. */
export function CapsuleGroup(props: {
  mode: Mode;
  waiting: readonly Waiting[];
  /** The one that is shown whole. */
  opened: string | null;
  onPoint: (full: { id: string; text: string } | null) => void;
  onToggle: (full: { id: string; text: string }) => void;
  onRemove: (id: string) => Promise<void>;
  onRetry: (id: string) => void;
  onEdit: (id: string) => Promise<void>;
  onEditWaiting: (id: string) => void;
}) {
  const [all, setAll] = useState(false);
  const { mode, waiting } = props;
  if (waiting.length === 0) return null;
  // what failed waits for the person: it is never among the rest
  const shown = all ? waiting : waiting.filter(({ state }, at) => at < SHOWN || state === 'failed');
  const count = waiting.length - shown.length;
  return (
    <fieldset
      className={classes(styles.group, all && styles.all)}
      aria-label={t(mode === 'steer' ? 'composer.waitingSteer' : 'composer.waitingQueue')}
    >
      {shown.map(({ id, ...one }) => (
        <Capsule
          key={id}
          {...one}
          editButtonId={editButtonId(id)}
          opened={props.opened === id}
          onPoint={(text) => props.onPoint(text === null ? null : { id, text })}
          onToggle={(text) => props.onToggle({ id, text })}
          onRemove={() => props.onRemove(id)}
          onRetry={() => props.onRetry(id)}
          onEdit={() => props.onEdit(id)}
          onEditWaiting={() => props.onEditWaiting(id)}
        />
      ))}
      {(count > 0 || (all && waiting.length > SHOWN)) && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={all}
          aria-label={all ? undefined : t('composer.moreName', { count })}
          onClick={() => setAll(!all)}
        >
          {all ? t('composer.fewer') : t('composer.more', { count })}
        </button>
      )}
    </fieldset>
  );
}
