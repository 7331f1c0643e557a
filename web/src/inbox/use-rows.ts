import { useEffect, useLayoutEffect, useState } from 'react';
import { type Hand, nextLeave, type Row, steady } from './steady-list.ts';
import type { Waiting } from './waiting.ts';

/** The rows of a list of what waits, which do not move under a hand. */
export function useRows(waiting: readonly Waiting[], hand: Hand): readonly Row[] {
  const [rows, setRows] = useState(() => steady([], waiting, { hand: 'away', now: Date.now() }));
  // before anything is painted: what lies below is not pushed down after it was seen
  useLayoutEffect(() => {
    setRows((shown) => steady(shown, waiting, { hand, now: Date.now() }));
  }, [waiting, hand]);
  useEffect(() => {
    const leave = hand === 'away' ? nextLeave(rows) : null;
    if (leave === null) return;
    const leaveNow = () => setRows((shown) => steady(shown, waiting, { hand, now: Date.now() }));
    const timer = setTimeout(leaveNow, leave - Date.now());
    return () => clearTimeout(timer);
  }, [rows, waiting, hand]);
  return rows;
}
