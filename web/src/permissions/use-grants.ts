import type { SessionGrant } from '@tscodex/shared/asks';
import { useCallback, useEffect, useRef, useState } from 'react';
import { urlPath } from '../api/http.ts';
import { useServices } from '../state/services.ts';

/**
 * What was allowed for the rest of a session, as it is when this is shown, and again whenever `count` says that it
 * has changed. `grants` is null until it is known.
 */
export function useGrants(session: string, count: number) {
  const { api } = useServices();
  const [grants, setGrants] = useState<SessionGrant[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  // answers may overtake each other
  const newest = useRef(0);
  const load = useCallback(() => {
    newest.current += 1;
    const turn = newest.current;
    return api.json<{ grants: SessionGrant[] }>('GET', urlPath('api', 'sessions', session, 'grants')).then(
      (answer) => {
        if (turn !== newest.current) return;
        setGrants(answer.grants);
        setProblem(null);
      },
      (error: Error) => {
        if (turn === newest.current) setProblem(error.message);
      },
    );
  }, [api, session]);
  // another count is why it is read again
  useEffect(() => void load(), [load, count]);

  /** Throws why not. What is shown is right afterwards in any case: somebody else may have been quicker. */
  const takeBack = async (id: string) => {
    try {
      await api.json('DELETE', urlPath('api', 'sessions', session, 'grants', id));
    } finally {
      await load();
    }
  };
  return { grants, problem, takeBack };
}
