import type { RuleList } from '@tscodex/shared/permissions';
import { useCallback, useEffect, useState } from 'react';
import { urlPath } from '../api/http.ts';
import { useServices } from '../state/services.ts';

/** The rules as they are when this is shown, and after each that was revoked. `list` is null until they are known. */
export function useRules() {
  const { api } = useServices();
  const [list, setList] = useState<RuleList | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const load = useCallback(
    () =>
      api.json<RuleList>('GET', 'api/rules').then(
        (rules) => {
          setList(rules);
          setProblem(null);
        },
        (error: Error) => setProblem(error.message),
      ),
    [api],
  );
  useEffect(() => void load(), [load]);

  /** Throws why not. What is shown is right afterwards in any case: somebody else may have been quicker. */
  const revoke = async (id: string) => {
    try {
      await api.json('DELETE', urlPath('api', 'rules', id));
    } finally {
      await load();
    }
  };
  return { list, problem, revoke };
}
