import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Overview } from '../state/overview-store.ts';
import { useServices } from '../state/services.ts';

/** How long the server is given to read what has changed; and the least between two answers. */
const SETTLED_MS = 1_000;

/**
 * Asks again once sessions have changed, or one comes back to the page: what other programs do is told to nobody.
 * `isHeld`: the lines must stay where they are for now.
 */
export function useFreshList(again: () => void, isHeld: () => boolean): void {
  const { overview } = useServices();
  const now = useStore(overview, sessionsIn);
  const [shown, setShown] = useState<string | null>(now);
  const latest = useRef({ now, again, isHeld });
  useEffect(() => {
    latest.current = { now, again, isHeld };
  });
  useEffect(() => {
    const back = () => document.visibilityState === 'visible' && setShown(null);
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, []);
  const isStale = shown !== now;
  useEffect(() => {
    if (!isStale) return;
    const timer = setInterval(() => {
      if (latest.current.isHeld()) return;
      setShown(latest.current.now);
      latest.current.again();
    }, SETTLED_MS);
    return () => clearInterval(timer);
  }, [isStale]);
}

/** What of them stands in the list, or gives them their order. */
function sessionsIn({ workspaces }: Overview): string {
  const lines = (workspaces ?? []).flatMap(({ id: workspace, sessions }) =>
    (sessions ?? []).map(({ id, title, lastActivityAt }) => [workspace, id, title, lastActivityAt]),
  );
  return JSON.stringify(lines);
}
