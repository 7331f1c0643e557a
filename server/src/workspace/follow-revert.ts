import { moveConversation } from '../runtime/catalog-rows.ts';
import type { SessionRow } from '../runtime/session-rows.ts';
import { isRevertedAfter } from '../session/newest-file.ts';
import type { ServerServices } from './session-services.ts';

/** A session that Codex has reverted since it was last in memory goes on in the file that Codex goes on in. */
export async function followRevert(
  row: SessionRow,
  { db, catalog }: Pick<ServerServices, 'db' | 'catalog'>,
): Promise<SessionRow> {
  // a server that starts does not wait for the catalogue
  const [newest] = catalog.isOpen ? catalog.filesOf(row.id) : [];
  if (!newest || newest.archived || !isRevertedAfter(newest.path, row.rolloutPath)) return row;
  await moveConversation(db, row.id, newest.path);
  return { ...row, rolloutPath: newest.path };
}
