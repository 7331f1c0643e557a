import type { CatalogEntry, SearchHit } from '@tscodex/shared/catalog';
import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { useState } from 'react';
import { v7 as uuid } from 'uuid';
import { useLocation, useSearch } from 'wouter';
import { useStore } from 'zustand';
import { sessionPlace } from '../sessions/session-place.ts';
import { useAimStore } from '../state/aim.ts';
import { useServices } from '../state/services.ts';
import { reopenSession, sessionActions } from '../state/session-actions.ts';
import { useAction } from '../ui/use-action.ts';
import type { CatalogProps } from './catalog-dialog.tsx';

/** Where in a session: at an item of it, or of one of its sub-agents; null: where one left it. */
type Aimed = Pick<SearchHit, 'session' | 'itemId'> | null;
type Wanted = { session: CatalogEntry; hit: Aimed };

/** Goes to a session of the list, or to an item in it, and makes it a tab first where it is none. */
export function useOpenEntry({ workspaceId, onOpened, onClose }: CatalogProps) {
  const { api, overview } = useServices();
  const workspaces = useStore(overview, (known) => known.workspaces ?? NONE);
  const aims = useAimStore();
  const [path, navigate] = useLocation();
  const search = useSearch();
  const { busy, problem, run } = useAction();
  const [homeless, setHomeless] = useState<Wanted | null>(null);

  const goTo = (workspace: string, session: string, item: string | null = null) => {
    onClose();
    onOpened(session);
    aims.setState({ aim: { session, ask: null } });
    const place = sessionPlace(workspace, session, item);
    // to where one is already one is led once more, and not twice on the way back
    navigate(place, { state: { led: uuid() }, replace: place === `${path}?${search}` });
  };
  const openIn = async (workspace: string, { session, hit }: Wanted) => {
    const isOpen = session.open && session.workspaceId === workspace;
    if (isOpen || (await run(() => reopenSession(api, workspace, session.id))))
      goTo(workspace, hit?.session ?? session.id, hit?.itemId);
  };
  return {
    /** In its own workspace, else in the one where one is, else in the one there is; else one is asked. */
    open: (session: CatalogEntry, hit: Aimed) => {
      const workspace = homeOf(session, workspaceId, workspaces);
      if (workspace !== null) void openIn(workspace, { session, hit });
      else setHomeless({ session, hit });
    },
    fork: (session: CatalogEntry) =>
      void run(async () => {
        const { workspaceId: home } = session;
        if (home !== null) goTo(home, await sessionActions(api, session.id).fork());
      }),
    /** Its address, or that of an item in it; null as long as it has no workspace. */
    placeOf: (session: CatalogEntry, hit: Aimed) => {
      const workspace = homeOf(session, workspaceId, workspaces);
      return workspace === null
        ? null
        : sessionPlace(workspace, hit?.session ?? session.id, hit?.itemId ?? null);
    },
    /** The one that is to be given a workspace. */
    homeless,
    openHomelessIn: (workspace: string) => homeless && void openIn(workspace, homeless),
    keepHomeless: () => setHomeless(null),
    busy,
    problem,
  };
}

const NONE: readonly WorkspaceSummary[] = [];

function homeOf(
  session: CatalogEntry,
  here: string | null,
  workspaces: readonly WorkspaceSummary[],
): string | null {
  const only = workspaces.length === 1 ? workspaces[0]?.id : undefined;
  return session.workspaceId ?? here ?? only ?? null;
}
