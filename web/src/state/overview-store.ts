/** All workspaces and their sessions, as the server last told. */
import type { ConfigReport, Problem, WorkspaceSummary } from '@tscodex/shared/workspace';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Live } from '../api/live.ts';

/** As it comes, over the link or the API. */
export type ToldOverview = {
  workspaces: WorkspaceSummary[];
  problem?: Problem | undefined;
  config?: ConfigReport | undefined;
};

export type Overview = {
  /** null until the first frame. */
  workspaces: WorkspaceSummary[] | null;
  /** Why workspaces.json cannot be read: the list is as it was before, and cannot be changed. */
  problem: Problem | null;
  /** What is to be said about the configuration; null: nothing. */
  config: ConfigReport | null;
};

/** Follows the overview from the first time anybody subscribes; it is small and every page shows some of it. */
export function overviewStore(live: Pick<Live, 'followOverview'>): StoreApi<Overview> {
  const store = createStore<Overview>(() => ({ workspaces: null, problem: null, config: null }));
  live.followOverview((told) => store.setState(overviewOf(told)));
  return store;
}

/** What the server leaves out where there is nothing to say is null here. */
export function overviewOf({ workspaces, problem, config }: ToldOverview): Overview {
  return { workspaces, problem: problem ?? null, config: config ?? null };
}
