/** What can be done with a session of the catalogue, open or not, over the HTTP API. */
import type { CatalogPage, SearchResult } from '@tscodex/shared/catalog';
import { type Api, urlPath } from '../api/http.ts';
import { closeSession, reopenSession } from './session-actions.ts';

/** Which sessions: those of one workspace or of all, those that are put away or the others. */
export type Scope = { workspace: string | null; archived: boolean };

/** How many titles a search shows before it is asked for more: what was said comes below them. */
const FOUND_TITLES = 6;

/** The address of the newest sessions, or of those in whose title or place `query` is. */
export function listPath({ workspace, archived }: Scope, query: string): string {
  const asked = new URLSearchParams();
  if (workspace !== null) asked.set('workspace', workspace);
  if (archived) asked.set('archived', 'true');
  if (query !== '') {
    asked.set('q', query);
    asked.set('limit', String(FOUND_TITLES));
  }
  return `api/catalog?${asked}`;
}

/** The page after one that told `cursor`, as long as a page is without a search. */
export function nextPath(list: string, cursor: string): string {
  const [path, asked = ''] = list.split('?');
  const next = new URLSearchParams(asked);
  next.delete('limit');
  next.set('cursor', cursor);
  return `${path}?${next}`;
}

/** Where it is told how far the server is with reading, and little else. */
export const PROGRESS_PATH = 'api/catalog?limit=1';

/** Whether an address of a list asks for what was found. */
export function isSearch(list: string): boolean {
  return new URLSearchParams(list.split('?')[1]).has('q');
}

/** The address of what was said in sessions; those that are put away are told of last. */
export function saidPath({ workspace, archived }: Scope, query: string): string {
  const asked = new URLSearchParams({ q: query });
  if (workspace !== null) asked.set('workspace', workspace);
  if (archived) asked.set('archived', 'true');
  return `api/search?${asked}`;
}

/** The answers to these addresses. */
export type Listed = CatalogPage;
export type Said = SearchResult;

const at = (session: string, ...more: string[]) => urlPath('api', 'catalog', session, ...more);

/** Puts a session away, its tab with it, or takes it out again. Its file stays readable for Codex. */
export async function archiveSession(api: Api, session: string, archived: boolean): Promise<void> {
  await api.json('PATCH', at(session), { archived });
}

/** Takes a session away, its tab with it. It can be restored for days. */
export async function deleteSession(api: Api, session: string): Promise<void> {
  await api.json('DELETE', at(session));
}

export async function restoreSession(api: Api, session: string): Promise<void> {
  await api.json('POST', at(session, 'restore'));
}

/** How a session left the list of those that are open. */
export type Leaving = 'closed' | 'archived' | 'deleted';

/** Ends what runs in an open session and takes its tab away. */
export async function leaveSession(api: Api, session: string, how: Leaving): Promise<void> {
  if (how === 'archived') await archiveSession(api, session, true);
  else if (how === 'deleted') await deleteSession(api, session);
  else await closeSession(api, session);
}

/** Takes that back: in its workspace, where it had a tab in one. */
export async function bringBack(
  api: Api,
  session: string,
  left: Leaving,
  workspace: string | null,
): Promise<void> {
  if (left === 'archived') await archiveSession(api, session, false);
  if (left === 'deleted') await restoreSession(api, session);
  if (workspace !== null) await reopenSession(api, workspace, session);
}
