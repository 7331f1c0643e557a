import type { ModelChoice, SessionList, WorkspaceSummary } from '@tscodex/shared/workspace';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useStore } from 'zustand';
import { urlPath } from '../api/http.ts';
import { sessionToOpen } from '../sessions/session-order.ts';
import { DeviceMemory } from '../state/device-memory.ts';
import { deviceStorage } from '../state/device-storage.ts';
import { look, type Seen } from '../state/seen-sessions.ts';
import { useServices } from '../state/services.ts';
import { useVisible } from '../ui/use-visible.ts';

/** The workspace as it is now: undefined until that is known, null when there is none of that name. */
export function useWorkspace(id: string): WorkspaceSummary | null | undefined {
  const { overview } = useServices();
  const { workspaces } = useStore(overview);
  return workspaces === null ? undefined : (workspaces.find((workspace) => workspace.id === id) ?? null);
}

/** What a new session can be started with, as far as it is known. Asked for on every connection. */
export function useModels(id: string): readonly ModelChoice[] {
  const { api, link } = useServices();
  const isLive = useStore(link, ({ connection }) => connection === 'live');
  const [models, setModels] = useState<readonly ModelChoice[]>([]);
  useEffect(() => {
    if (!isLive) return;
    api.json<SessionList>('GET', urlPath('api', 'workspaces', id, 'sessions')).then(
      (list) => setModels(list.models),
      // the next connection asks again; until then sessions are opened with what was known, or the server's default
      () => undefined,
    );
  }, [api, id, isLive]);
  return models;
}

export function useDeviceMemory(id: string): DeviceMemory {
  const { api } = useServices();
  return useMemo(() => new DeviceMemory(`${api.base.pathname}w/${id}`, deviceStorage()), [api, id]);
}

/**
 * The session in the address, and how to go to another. Who comes without one is led to the one to open, if any; who
 * has stayed without one to write the first message of another is not led away by what others begin meanwhile.
 */
export function useChosenSession(
  workspace: WorkspaceSummary | null | undefined,
  memory: DeviceMemory,
): [string | null, (session: string | null, replace?: boolean) => void] {
  const [place, navigate] = useLocation();
  const [search] = useSearchParams();
  const chosen = search.get('session');

  const choose = useCallback(
    (session: string | null, replace = false) => {
      const query = session === null ? '' : `?${new URLSearchParams({ session })}`;
      navigate(`${place}${query}`, { replace });
    },
    [navigate, place],
  );

  const led = useRef(false);
  useEffect(() => {
    if (chosen !== null) {
      memory.lastSession = chosen;
      led.current = false;
    } else if (workspace && !led.current) {
      led.current = true;
      const session = sessionToOpen(workspace.sessions, memory.lastSession);
      if (session !== null) choose(session, true);
    }
  }, [chosen, workspace, memory, choose]);

  return [chosen, choose];
}

/** What this device has seen of the workspace's sessions, with `chosen` open before it. */
export function useSeen(
  workspace: WorkspaceSummary | null | undefined,
  chosen: string | null,
  memory: DeviceMemory,
): Seen {
  const visible = useVisible();
  const [seen, setSeen] = useState(() => memory.seen);
  // what another tab of this device has shown counts here, too
  useEffect(() => {
    const readAgain = ({ key }: StorageEvent) => key === memory.seenKey && setSeen(memory.seen);
    addEventListener('storage', readAgain);
    return () => removeEventListener('storage', readAgain);
  }, [memory]);
  const now = workspace ? look(seen, workspace.sessions, visible ? chosen : null) : seen;
  useEffect(() => {
    if (now === null || now === seen) return;
    setSeen(now);
    memory.seen = now;
  }, [now, seen, memory]);
  return now ?? {};
}
