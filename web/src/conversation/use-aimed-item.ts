import { useCallback, useEffect, useState } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { ApiProblem } from '../api/http.ts';

/** How long an item stays marked that somebody was led to, in milliseconds. */
const MARKED = 2_500;

/** Why an item that somebody was led to is not in view: it is none, or could not be fetched. */
export type AimTrouble = { unknown: true } | { unknown: false; reason: string };

/**
 * Leads to the item that the address names, and marks it for a while; once more where somebody is led to the address
 * where they are, which only its state in the history tells.
 */
export function useAimedItem(aim: string | null, goTo: (id: string) => Promise<void>) {
  const [marked, setMarked] = useState<string | null>(null);
  const led = useHistoryState();
  const [trouble, setTrouble] = useState<AimTrouble | null>(null);
  const lead = useCallback(async () => {
    setTrouble(null);
    if (aim === null) return;
    try {
      await goTo(aim);
      setMarked(aim);
    } catch (error) {
      const unknown = error instanceof ApiProblem && error.status === 404;
      setTrouble(unknown ? { unknown } : { unknown, reason: (error as Error).message });
    }
  }, [aim, goTo]);
  useEffect(() => void lead(), [lead, led]);
  useEffect(() => {
    if (marked === null) return;
    const timer = setTimeout(() => setMarked(null), MARKED);
    return () => clearTimeout(timer);
  }, [marked]);
  return { marked, trouble, retry: lead, dismiss: useCallback(() => setTrouble(null), []) };
}
