import { useLayoutEffect, useRef, useState } from 'react';

/** Nobody sees where something has moved to, and presses it there, within this time. In milliseconds. */
const SEEING_MS = 400;

/**
 * Whether something has just moved: a press would hit what was not there a moment ago, so what may move lets none
 * through (`pointer-events: none`). A finger gives no warning of where it is going to land. `layout` changes with
 * every move.
 */
export function useSettling(layout: string): boolean {
  const [settling, setSettling] = useState(false);
  const before = useRef(layout);
  useLayoutEffect(() => {
    if (before.current === layout) return;
    before.current = layout;
    setSettling(true);
    const timer = setTimeout(() => setSettling(false), SEEING_MS);
    return () => clearTimeout(timer);
  }, [layout]);
  return settling;
}
