import type { Indexing } from '@tscodex/shared/catalog';
import { useEffect, useState } from 'react';
import { type Listed, PROGRESS_PATH } from '../state/catalog-actions.ts';
import { useServices } from '../state/services.ts';

/** How often one is told how far the server has read. */
const ASKED_EVERY_MS = 2_000;

/** How far the server is with reading files, from what it last told of it on; null: it has read all. */
export function useIndexing(told: Indexing | null, onDone: () => void): Indexing | null {
  const { api } = useServices();
  const [now, setNow] = useState(told);
  useEffect(() => {
    setNow(told);
    if (told === null) return;
    const timer = setInterval(() => {
      api.json<Listed>('GET', PROGRESS_PATH).then(
        ({ indexing }) => {
          setNow(indexing);
          if (indexing === null) onDone();
        },
        // it is asked again soon
        () => undefined,
      );
    }, ASKED_EVERY_MS);
    return () => clearInterval(timer);
  }, [api, told, onDone]);
  return now;
}
