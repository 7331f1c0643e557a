import { useEffect, useState } from 'react';
import { nextLeave, type Row, steady } from './steady-list.ts';
import type { Waiting } from './waiting.ts';

/** The rows of a list of what waits. `held`: a hand is on it, so nothing in it may move. */
export function useRows(waiting: readonly Waiting[], held: boolean): readonly Row[] {
  const [rows, setRows] = useState(() => steady([], waiting, { held: false, now: Date.now() }));
  useEffect(() => {
    const now = Date.now();
    const next = steady(rows, waiting, { held, now });
    if (next !== rows) {
      setRows(next);
      return;
    }
    const leave = held ? null : nextLeave(rows);
    if (leave === null) return;
    const timer = setTimeout(() => setRows(steady(rows, waiting, { held, now: Date.now() })), leave - now);
    return () => clearTimeout(timer);
  }, [rows, waiting, held]);
  return rows;
}
