import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { bounded, DEFAULT_SHARE, LEAST_SHARE, MOST_SHARE, shareByKey } from './board-layout.ts';
import styles from './splitter.module.css';

/**
 * The edge between conversation and board. Dragged, moved by the arrow keys, put back by a double click. Enter
 * hides the board.
 */
export function Splitter(props: {
  share: number;
  /** The element id of the board. */
  controls: string;
  /** While it is dragged: only for the eye. */
  onDrag: (share: number) => void;
  onResize: (share: number) => void;
  onCollapse: () => void;
}) {
  const dragged = useRef<number | null>(null);
  const shareAt = ({ clientX }: PointerEvent) => bounded(((innerWidth - clientX) / innerWidth) * 100);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = shareByKey(event.key, props.share);
    if (next !== null) props.onResize(next);
    else if (event.key === 'Enter') props.onCollapse();
    else return;
    event.preventDefault();
  };
  const end = () => {
    if (dragged.current !== null) props.onResize(dragged.current);
    dragged.current = null;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that separates content cannot be moved
    <div
      className={styles.splitter}
      role="separator"
      tabIndex={0}
      aria-label={t('board.width')}
      aria-orientation="vertical"
      aria-controls={props.controls}
      aria-valuenow={props.share}
      aria-valuemin={LEAST_SHARE}
      aria-valuemax={MOST_SHARE}
      aria-valuetext={t('board.share', { count: props.share })}
      title={t('board.widthHint')}
      onKeyDown={onKeyDown}
      onDoubleClick={() => props.onResize(DEFAULT_SHARE)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        // it hears the hand over the board's frame as well
        event.currentTarget.setPointerCapture(event.pointerId);
        dragged.current = props.share;
      }}
      onPointerMove={(event) => {
        if (dragged.current === null) return;
        dragged.current = shareAt(event);
        props.onDrag(dragged.current);
      }}
      onPointerUp={end}
      onPointerCancel={end}
    />
  );
}
