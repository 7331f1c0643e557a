import type { CommandExecution } from '@tscodex/shared/items';
import { useEffect, useState } from 'react';

/** Milliseconds after which a running command is worth watching. */
const LONG = 2_000;

/** Whether a command runs, has for a while, and has something to show. */
export function useRunsLong({ status, startedAt, output }: CommandExecution): boolean {
  const running = status === 'inProgress';
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!running) return;
    const left = Math.min(LONG, LONG - (Date.now() - Date.parse(startedAt)));
    const timer = setTimeout(() => setLong(true), left);
    return () => clearTimeout(timer);
  }, [running, startedAt]);
  return running && long && output !== '';
}
