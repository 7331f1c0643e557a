/** All workspaces and their sessions, as the server last told. */
import type { Problem, WorkspaceSummary } from '@tscodex/shared/workspace';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Live } from '../api/live.ts';

export type Overview = {
  /** null until the first frame. */
  workspaces: WorkspaceSummary[] | null;
  /** Why workspaces.json cannot be read: the list is as it was before, and cannot be changed. */
  problem: Problem | null;
};

/** Follows the overview from the first time anybody subscribes; it is small and every page shows some of it. */
export function overviewStore(live: Pick<Live, 'followOverview'>): StoreApi<Overview> {
  const store = createStore<Overview>(() => ({ workspaces: null, problem: null }));
  live.followOverview((workspaces, problem) => store.setState({ workspaces, problem }));
  return store;
}
