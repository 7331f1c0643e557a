/** `SessionActions` over the HTTP API. */

import type { SessionState } from '@tscodex/shared/session-state';
import type { Found, ItemPage, NewSession, SessionChange, SessionModel } from '@tscodex/shared/workspace';
import { type Api, urlPath } from '../api/http.ts';
import type { SessionActions } from './actions.ts';

/** Items to fetch at once: some screens of them. */
const PAGE = 200;

export function sessionActions(api: Api, session: string): SessionActions {
  const at = (...parts: string[]) => urlPath('api', 'sessions', session, ...parts);
  return {
    send: (message) => api.json('POST', at('inputs'), message),
    changeInput: (inputId, patch) => api.json('PATCH', at('inputs', inputId), patch),
    withdrawInput: (inputId) => api.json('DELETE', at('inputs', inputId)),
    interrupt: () => api.json('POST', at('interrupt')),
    resume: () => api.json('POST', at('resume')),
    answer: (askId, answer) => api.json('POST', at('asks', askId), answer),
    stopCommand: (processId) => api.json('DELETE', at('background', processId)),
    stopClock: () => api.json('DELETE', at('clock')),
    page: (asked) =>
      api.json<ItemPage>('GET', `${at('items')}?${new URLSearchParams({ ...asked, limit: String(PAGE) })}`),
    find: (q, gone) => api.json<Found>('GET', `${at('find')}?${new URLSearchParams({ q })}`, undefined, gone),
    output: (itemId) => api.text(at('items', itemId, 'output')),
    change: (change) => changeSession(api, session, change),
    models: async () => (await api.json<{ models: SessionModel[] }>('GET', at('models'))).models,
    fork: async (before) => {
      const body = before === undefined ? {} : { before };
      return (await api.json<{ session: SessionState }>('POST', at('fork'), body)).session.id;
    },
  };
}

/** Creates a session in a workspace. */
export async function createSession(api: Api, workspace: string, options: NewSession): Promise<SessionState> {
  const created = await api.json<{ session: SessionState }>(
    'POST',
    urlPath('api', 'workspaces', workspace, 'sessions'),
    options,
  );
  return created.session;
}

/** Opens a closed session of the workspace again. */
export async function reopenSession(api: Api, workspace: string, session: string): Promise<void> {
  await api.json('POST', urlPath('api', 'workspaces', workspace, 'sessions'), { resume: session });
}

export async function changeSession(api: Api, session: string, change: SessionChange): Promise<void> {
  await api.json('PATCH', urlPath('api', 'sessions', session), change);
}

/** Ends what runs in a session and takes it off the list; its file stays. */
export async function closeSession(api: Api, session: string): Promise<void> {
  await api.json('DELETE', urlPath('api', 'sessions', session));
}
