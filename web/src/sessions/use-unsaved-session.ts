import { emptySession } from '@tscodex/shared/session-state';
import { useMemo, useState } from 'react';
import { useServices } from '../state/services.ts';
import { createSession, sessionActions, unsavedActions } from '../state/session-actions.ts';

/** A session that is not there yet, and how its first message makes it. */
export function useUnsavedSession(id: string, dir: string, onCreated: (session: string) => void) {
  const { api } = useServices();
  const [createdAt] = useState(() => new Date().toISOString());
  const state = useMemo(
    () => emptySession({ id: `new:${id}`, workspaceId: id, cwd: dir, createdAt }),
    [id, dir, createdAt],
  );
  const actions = useMemo(
    () =>
      unsavedActions(
        async () => (await createSession(api, id, {})).id,
        (session) => sessionActions(api, session),
        onCreated,
      ),
    [api, id, onCreated],
  );
  return { state, actions };
}
