import type { Me, Person } from '@tscodex/shared/workspace';
import { useContext, useMemo, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { ServicesContext, useServices } from '../state/services.ts';
import { isOneOfNameless, peopleHere } from './people-here.ts';

/** Who uses this page; null until the server has said so. */
export function useMe(): Me | null {
  const { people } = useServices();
  return useStore(people, ({ me }) => me);
}

/** The name its user goes by, also for parts that are shown without a server (then none). */
export function useMyName(): string | null {
  const people = useContext(ServicesContext)?.people;
  return useSyncExternalStore(people?.subscribe ?? never, () => people?.getState().me?.name ?? null);
}

/** Whether one has no name and somebody else who is there has none either: the server calls both the same. */
export function useIsOneOfNameless(): boolean {
  const people = useContext(ServicesContext)?.people;
  return useSyncExternalStore(
    people?.subscribe ?? never,
    () => people !== undefined && isOneOfNameless(people.getState()),
  );
}

function never(): () => void {
  return () => undefined;
}

/** Who looks at a workspace, those with `session` open first. */
export function usePeopleHere(workspace: string, session: string | null): Person[] {
  const { people: store } = useServices();
  const people = useStore(store, (state) => state.people);
  const me = useMe()?.id ?? null;
  return useMemo(() => peopleHere(people, { workspace, session, me }), [people, workspace, session, me]);
}
