/** How the list speaks of a session. */
import type { CatalogEntry } from '@tscodex/shared/catalog';
import { t } from '../messages/messages.ts';

export function nameOf({ title, preview }: Pick<CatalogEntry, 'title' | 'preview'>): string {
  return title ?? preview ?? t('sessions.untitled');
}

/** The program that made it, by the name that people know: Codex calls itself by what it was started as. */
export function programOf({ originator }: Pick<CatalogEntry, 'originator'>): string | null {
  if (originator === null) return null;
  return /^codex(?![a-z])/i.test(originator) ? 'Codex' : originator;
}
