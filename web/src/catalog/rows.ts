/** What the list shows, line by line, as the keys go through it. Pure. */
import type { CatalogEntry, SearchHit } from '@tscodex/shared/catalog';
import { t } from '../messages/messages.ts';
import type { Said } from '../state/catalog-actions.ts';
import { dayGroups } from './day-groups.ts';

export type Row =
  /** `places`: at how many of it something was found; null where that was not looked for. */
  | { kind: 'session'; key: string; session: CatalogEntry; places: number | null }
  | { kind: 'hit'; key: string; session: CatalogEntry; hit: SearchHit }
  /** Asks for more titles. */
  | { kind: 'more'; key: string };
export type Section = { title: string; rows: Row[] };

/** Everything, under the days it was last used on. */
export function listSections(sessions: readonly CatalogEntry[], now: Date): Section[] {
  return dayGroups(sessions, now).map((group) => ({
    title: group.title,
    rows: group.sessions.map(sessionRow),
  }));
}

/** What was found: by title, and below it in what was said. `hasMore`: of the titles. */
export function foundSections(
  titles: readonly CatalogEntry[] | null,
  hasMore: boolean,
  said: Said | null,
): Section[] {
  const more: Row[] = hasMore ? [{ kind: 'more', key: 'more' }] : [];
  const sections = [
    { title: t('catalog.titles'), rows: [...(titles ?? []).map(sessionRow), ...more] },
    { title: t('catalog.said'), rows: (said?.sessions ?? []).flatMap(saidRows) },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

/** Of a session that was deleted meanwhile its own line is left, to be taken back there. */
export function withoutHits(
  sections: readonly Section[],
  isDeleted: (session: CatalogEntry) => boolean,
): Section[] {
  return sections.map(({ title, rows }) => ({
    title,
    rows: rows.filter((row) => row.kind !== 'hit' || !isDeleted(row.session)),
  }));
}

/** A session that is found both by title and by what was said is one. */
export function sessionsIn(rows: readonly Row[], isDeleted: (session: CatalogEntry) => boolean): number {
  const sessions = rows.flatMap((row) => (row.kind === 'more' ? [] : [row.session]));
  return new Set(sessions.filter((session) => !isDeleted(session)).map(({ id }) => id)).size;
}

function sessionRow(session: CatalogEntry): Row {
  return { kind: 'session', key: `session ${session.id}`, session, places: null };
}

function saidRows({ session, hits, more }: Said['sessions'][number]): Row[] {
  const head: Row = { kind: 'session', key: `said ${session.id}`, session, places: hits.length + more };
  return [
    head,
    ...hits.map(
      (hit): Row => ({ kind: 'hit', key: `hit ${hit.session ?? session.id} ${hit.itemId}`, session, hit }),
    ),
  ];
}

/** Which line a key goes to; null for keys that do not move. A page is what one sees of the list, more or less. */
export function rowByKey(key: string, at: number, count: number): number | null {
  const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[key];
  if (by === undefined || count === 0) return null;
  return Math.max(0, Math.min(at + by, count - 1));
}

/** The element id of a line. */
export function rowId(list: string, { key }: Row): string {
  return `${list}-${key.replaceAll(' ', '-')}`;
}
