import { ArrowUp, Clock3, Image as ImageIcon, LoaderCircle, Pencil, RotateCw, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import { classes } from '../ui/classes.ts';
import { useAction } from '../ui/use-action.ts';
import styles from './capsules.module.css';
import type { Mode } from './mode-choice.tsx';

export type CapsuleState = 'sending' | 'saved' | 'failed';

/** Characters of a message that names of buttons repeat. */
const NAMED = 60;

/** One waiting message, cut to its beginning. All of it is shown above the row while it is pointed at or opened. */
export function Capsule(props: {
  text: string;
  /** Whose it is, where it is not one's own. */
  author: string | null;
  /** How many go with it. */
  images: number;
  state: CapsuleState;
  mode: Mode;
  reason: string | null;
  editButtonId: string;
  opened: boolean;
  onPoint: (text: string | null) => void;
  onToggle: (text: string) => void;
  onRemove: () => Promise<void>;
  onRetry: () => void;
  /** Takes it back into the box. */
  onEdit: () => Promise<void>;
  /** Changes it where it waits. */
  onEditWaiting: () => void;
}) {
  const { state, reason, onPoint } = props;
  const images = props.images > 0 ? t('images.count', { count: props.images }) : null;
  const text = props.text || (images ?? '');
  const removal = useAction();
  const editing = useAction();
  const problem =
    (removal.problem && t('composer.removeFailed', { reason: removal.problem })) ??
    (editing.problem && t('composer.editFailed', { reason: editing.problem }));
  const why = problem ?? reason;
  const full = [why, text, images === text ? null : images].filter(Boolean).join('\n\n');
  const name = { text: text.slice(0, NAMED) };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering and focus only reveal what is there to read
    <span
      className={classes(styles.capsule, state === 'failed' && styles.failed)}
      onMouseEnter={() => onPoint(full)}
      onMouseLeave={() => onPoint(null)}
      onFocus={() => onPoint(full)}
      onBlur={() => onPoint(null)}
    >
      <Icon sending={state === 'sending'} mode={props.mode} />
      <button
        type="button"
        className={styles.text}
        aria-expanded={props.opened}
        onClick={() => props.onToggle(full)}
      >
        {props.author !== null && <span className={styles.author}>{props.author}</span>}
        {text.slice(0, 500)}
      </button>
      {images !== null && images !== text && (
        <span className={styles.images} role="img" aria-label={images} title={images}>
          <ImageIcon size={12} aria-hidden="true" /> {props.images}
        </span>
      )}
      <span className={state === 'saved' ? 'visually-hidden' : styles.state}>{t(`composer.${state}`)}</span>
      {why && (
        <span className="visually-hidden" role="alert">
          {why}
        </span>
      )}
      {state === 'saved' && (
        <>
          <Action
            id={props.editButtonId}
            label={t('composer.edit', name)}
            icon={<Pencil size={12} />}
            onClick={props.onEditWaiting}
          />
          <Action
            label={t('composer.remove', name)}
            icon={<X size={13} />}
            disabled={removal.busy}
            onClick={() => removal.run(props.onRemove)}
          />
        </>
      )}
      {state === 'failed' && (
        <>
          <button type="button" className={styles.retry} onClick={props.onRetry}>
            <RotateCw size={12} aria-hidden="true" /> {t('composer.retry')}
          </button>
          <Action
            label={t('composer.edit', name)}
            icon={<Pencil size={12} />}
            disabled={editing.busy}
            onClick={() => editing.run(props.onEdit)}
          />
        </>
      )}
    </span>
  );
}

function Icon({ sending, mode }: { sending: boolean; mode: Mode }) {
  if (sending) return <LoaderCircle className={styles.spin} size={12} aria-hidden="true" />;
  const Kind = mode === 'steer' ? ArrowUp : Clock3;
  return <Kind className={styles.icon} size={12} aria-hidden="true" />;
}

function Action(props: {
  id?: string;
  label: string;
  icon: ReactNode;
  disabled?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      id={props.id}
      type="button"
      className={styles.action}
      aria-label={props.label}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      {props.icon}
    </button>
  );
}
