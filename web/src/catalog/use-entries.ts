import type { CatalogEntry } from '@tscodex/shared/catalog';
import { useCallback, useMemo, useState } from 'react';
import { type Listed, nextPath } from '../state/catalog-actions.ts';
import { useServices } from '../state/services.ts';
import { useAction } from '../ui/use-action.ts';
import { useAnswer } from './use-answer.ts';

/** What came after a first page. */
type Later = { first: Listed; sessions: readonly CatalogEntry[]; next: string | null };

/** The sessions at an address, page by page: the first by itself, those after it as they are wanted. */
export function useEntries(path: string) {
  const { api } = useServices();
  const { answer: first, answered, problem, again } = useAnswer<Listed>(path);
  const [kept, setLater] = useState<Later | null>(null);
  const { busy, problem: moreProblem, run } = useAction();
  const later = kept?.first === first ? kept : null;
  const next = later ? later.next : (first?.next ?? null);

  const more = useCallback(() => {
    if (first === null || answered === null || next === null) return;
    void run(async () => {
      const page = await api.json<Listed>('GET', nextPath(answered, next));
      setLater((before) => {
        const known = before?.first === first ? before.sessions : [];
        return { first, sessions: [...known, ...page.sessions], next: page.next };
      });
    });
  }, [api, first, answered, next, run]);

  const sessions = useMemo(
    () => first && each([...first.sessions, ...(later?.sessions ?? [])]),
    [first, later],
  );
  return {
    /** null until the first are known. */
    sessions,
    indexing: first?.indexing ?? null,
    /** The address that they are the answer to. */
    answered,
    problem,
    again,
    /** null: those are all. */
    more: next === null ? null : more,
    loading: busy,
    moreProblem,
  };
}

/** One that was used between two pages would come twice. */
function each(sessions: readonly CatalogEntry[]): CatalogEntry[] {
  return [...new Map(sessions.map((session) => [session.id, session])).values()];
}
