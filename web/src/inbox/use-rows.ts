import { useEffect, useState } from 'react';
import { type Hand, nextLeave, type Row, steady } from './steady-list.ts';
import type { Waiting } from './waiting.ts';

/** The rows of a list of what waits, which do not move under a hand. */
export function useRows(waiting: readonly Waiting[], hand: Hand): readonly Row[] {
  const [rows, setRows] = useState(() => steady([], waiting, { hand: 'away', now: Date.now() }));
  useEffect(() => {
    const now = Date.now();
    const next = steady(rows, waiting, { hand, now });
    if (next !== rows) {
      setRows(next);
      return;
    }
    const leave = hand === 'away' ? nextLeave(rows) : null;
    if (leave === null) return;
    const timer = setTimeout(() => setRows(steady(rows, waiting, { hand, now: Date.now() })), leave - now);
    return () => clearTimeout(timer);
  }, [rows, waiting, hand]);
  return rows;
}
