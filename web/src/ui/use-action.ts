import { useCallback, useRef, useState } from 'react';

/**
 * One thing a person asked the server for, from the click to its answer: a second click meanwhile does nothing,
 * and a failure is a sentence to show. `run` resolves to whether it went well.
 */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef(false);
  const run = useCallback(async (action: () => Promise<unknown>): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setProblem(null);
    try {
      await action();
      return true;
    } catch (error) {
      setProblem((error as Error).message);
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);
  return { busy, problem, run };
}
