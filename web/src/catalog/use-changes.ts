import type { CatalogEntry } from '@tscodex/shared/catalog';
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import { type Leavable, useLeaveSession } from '../sessions/use-leave-session.tsx';
import { archiveSession, restoreSession } from '../state/catalog-actions.ts';
import { useServices } from '../state/services.ts';
import { reopenSession } from '../state/session-actions.ts';
import { useAction } from '../ui/use-action.ts';
import type { CatalogProps } from './catalog-dialog.tsx';

/** A session as it is since the list was told. A deleted one keeps its line, to be taken back. */
export type Changed = CatalogEntry & { deleted: boolean };

/** Archiving, deleting and taking both back. Lines stay where they are. */
export function useChanges({ onLeft, onBack }: Pick<CatalogProps, 'onLeft' | 'onBack'>) {
  const { api, overview } = useServices();
  const [changes, setChanges] = useState<ReadonlyMap<string, Partial<Changed>>>(new Map());
  const change = (id: string, to: Partial<Changed>) =>
    setChanges((before) => new Map(before).set(id, { ...before.get(id), ...to }));
  const leaving = useLeaveSession<Leavable & { tabIn: string | null }>((session, how) => {
    change(session.id, how === 'deleted' ? { deleted: true } : { archived: true, open: false });
    onLeft(session, how, session.tabIn);
  });
  const back = useAction();

  const leave = (session: CatalogEntry, how: 'archived' | 'deleted') => {
    const open = overview.getState().workspaces?.flatMap(({ sessions }) => sessions) ?? [];
    const status = open.find(({ id }) => id === session.id)?.status ?? 'closed';
    const tabIn = session.open ? session.workspaceId : null;
    leaving.leave({ id: session.id, title: session.title ?? session.preview, status, tabIn }, how);
  };
  return {
    /** The session as it is now. */
    of: (session: CatalogEntry): Changed => ({ ...session, deleted: false, ...changes.get(session.id) }),
    /** Something was put away here, and its line is where it is taken back. */
    any: changes.size > 0,
    archive: (session: CatalogEntry) => leave(session, 'archived'),
    remove: (session: CatalogEntry) => leave(session, 'deleted'),
    unarchive: async ({ id }: CatalogEntry) => {
      if (!(await back.run(() => archiveSession(api, id, false)))) return;
      change(id, { archived: false });
      onBack(id);
    },
    /** With its tab, if it had one. */
    restore: async ({ id, open, workspaceId }: CatalogEntry) => {
      const restored = await back.run(async () => {
        await restoreSession(api, id);
        if (open && workspaceId !== null) await reopenSession(api, workspaceId, id);
      });
      if (!restored) return;
      change(id, { deleted: false });
      onBack(id);
    },
    dialog: leaving.dialog,
    problem: leaving.problem ?? (back.problem && t('catalog.notBack', { reason: back.problem })),
  };
}
