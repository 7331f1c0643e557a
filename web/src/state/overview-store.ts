/** All workspaces and their sessions, as the server last told. */
import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Live } from '../api/live.ts';

export type Overview = {
  /** null until the first frame. */
  workspaces: WorkspaceSummary[] | null;
};

/** Follows the overview from the first time anybody subscribes; it is small and every page shows some of it. */
export function overviewStore(live: Pick<Live, 'followOverview'>): StoreApi<Overview> {
  const store = createStore<Overview>(() => ({ workspaces: null }));
  live.followOverview((workspaces) => store.setState({ workspaces }));
  return store;
}
