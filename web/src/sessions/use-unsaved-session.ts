import { emptySession, type SessionState } from '@tscodex/shared/session-state';
import { useMemo, useState } from 'react';
import type { SessionActions } from '../state/actions.ts';
import { useServices } from '../state/services.ts';
import { createSession, sessionActions } from '../state/session-actions.ts';
import { unsavedActions } from '../state/unsaved-actions.ts';

/** A session that is not there yet. */
export function useUnsavedSession(workspace: string, dir: string): SessionState {
  const [createdAt] = useState(() => new Date().toISOString());
  return useMemo(
    () => emptySession({ id: `new:${workspace}`, workspaceId: workspace, cwd: dir, createdAt }),
    [workspace, dir, createdAt],
  );
}

/** The actions of a session; where there is none (null), those by which a first message makes one. */
export function useFirstMessage(
  actions: SessionActions | null,
  workspace: string,
  onCreated: (session: string) => void,
): SessionActions {
  const { api } = useServices();
  return useMemo(() => {
    if (actions) return actions;
    const create = async () => (await createSession(api, workspace, {})).id;
    return unsavedActions(create, (session) => sessionActions(api, session), onCreated);
  }, [actions, api, workspace, onCreated]);
}
