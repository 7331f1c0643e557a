import { useCallback, useEffect, useState } from 'react';
import type { SessionActions } from '../state/actions.ts';

/** How long to wait for another letter before the server is asked, in milliseconds. */
const PAUSE = 200;

type Found = { words: string; itemIds: readonly string[]; cut: boolean };

/** Where words are said in the whole conversation, and which of these places one is at: the newest first. */
export function useFind(actions: SessionActions, words: string) {
  const [found, setFound] = useState<Found | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [at, setAt] = useState(0);

  useEffect(() => {
    setProblem(null);
    if (words === '') {
      setFound(null);
      return;
    }
    const gone = new AbortController();
    const look = async () => {
      try {
        const { itemIds, cut } = await actions.find(words, gone.signal);
        if (gone.signal.aborted) return;
        setFound({ words, itemIds, cut });
        setAt(itemIds.length - 1);
      } catch (error) {
        if (!gone.signal.aborted) setProblem((error as Error).message);
      }
    };
    const timer = setTimeout(look, PAUSE);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [actions, words]);

  const count = found?.itemIds.length ?? 0;
  const step = useCallback(
    (by: 1 | -1) => setAt((now) => (count === 0 ? 0 : (now + by + count) % count)),
    [count],
  );
  return {
    found: found?.words === words ? found : null,
    current: found?.itemIds[at] ?? null,
    at,
    step,
    problem,
  };
}
