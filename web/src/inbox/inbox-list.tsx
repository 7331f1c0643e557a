import { type FocusEvent, useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { useSettling } from '../ui/use-settling.ts';
import styles from './inbox-list.module.css';
import { InboxRow } from './inbox-row.tsx';
import type { Row } from './steady-list.ts';
import type { Waiting } from './waiting.ts';

/** What waits, the oldest first. */
export function InboxList({ rows, onOpen }: { rows: readonly Row[]; onOpen: (waiting: Waiting) => void }) {
  const list = useRef<HTMLUListElement>(null);
  const keys = rows.map(({ waiting }) => waiting.key);
  const settling = useSettling(keys.join(' '));
  const focus = useKeptFocus(list, keys);
  return (
    <ul
      ref={list}
      className={styles.list}
      aria-label={t('inbox.section')}
      data-settling={settling}
      {...focus}
    >
      {rows.map((row) => (
        <InboxRow key={row.waiting.key} row={row} onOpen={onOpen} />
      ))}
    </ul>
  );
}

/**
 * A button that is gone takes the focus with it; a keyboard would start again at the top of the page. The row keeps
 * it, and after that row the one in its place.
 */
function useKeptFocus(list: { current: HTMLUListElement | null }, keys: readonly string[]) {
  const focused = useRef<{ key: string; at: number } | null>(null);
  // after every render: what has ended loses its buttons without any change of the keys
  useEffect(() => {
    const had = focused.current;
    if (had === null || document.activeElement !== document.body) return;
    const rows = [...(list.current?.children ?? [])].filter((row) => row instanceof HTMLElement);
    const row =
      rows.find(({ dataset }) => dataset.key === had.key) ?? rows[Math.min(had.at, rows.length - 1)];
    if (row) row.focus({ preventScroll: true });
    else focused.current = null;
  });
  return {
    onFocus: ({ target }: FocusEvent) => {
      const key = target.closest<HTMLElement>('[data-key]')?.dataset.key;
      if (key !== undefined) focused.current = { key, at: keys.indexOf(key) };
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget) focused.current = null;
    },
  };
}
