/** What can be done to the list of workspaces, over the HTTP API. Every page sees the outcome in its overview. */
import type { NewWorkspace, WorkspaceChange } from '@tscodex/shared/workspace';
import { type Api, urlPath } from '../api/http.ts';
import { overviewOf, type ToldOverview } from './overview-store.ts';
import type { Services } from './services.ts';

export async function addWorkspace(api: Api, workspace: NewWorkspace): Promise<void> {
  await api.json('POST', urlPath('api', 'workspaces'), workspace);
}

/** Throws with status 409 when the entry is not at the change's revision any more. */
export async function changeWorkspace(api: Api, id: string, change: WorkspaceChange): Promise<void> {
  await api.json('PATCH', urlPath('api', 'workspaces', id), change);
}

/** Ends what runs in it and takes it off the list; files stay. */
export async function removeWorkspace(api: Api, id: string): Promise<void> {
  await api.json('DELETE', urlPath('api', 'workspaces', id));
}

/** Brings the overview up to date at once: a refusal that something has changed may come before the news of it. */
export async function refreshOverview({ api, overview }: Pick<Services, 'api' | 'overview'>): Promise<void> {
  overview.setState(overviewOf(await api.json<ToldOverview>('GET', 'api/workspaces')));
}
