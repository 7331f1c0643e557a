import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { SessionActions } from './actions.ts';
import { useServices } from './services.ts';
import { sessionActions } from './session-actions.ts';
import type { SessionView } from './session-store.ts';

/** What is seen of no session. */
const NOTHING = createStore<SessionView>(() => ({ state: null, problem: null }));

/** Follows a session, if one is named, while the component is shown. */
export function useSession(session: string | null): SessionView & {
  actions: SessionActions | null;
  /** Tries again after a problem. */
  retry: () => void;
} {
  const { api, sessions } = useServices();
  useEffect(() => (session === null ? undefined : sessions.view(session)), [sessions, session]);
  const view = useStore(session === null ? NOTHING : sessions.store(session));
  const actions = useMemo(() => (session === null ? null : sessionActions(api, session)), [api, session]);
  return { ...view, actions, retry: () => session !== null && sessions.retry(session) };
}
