/** Sessions under the days they were last used on. Pure. */
import type { CatalogEntry } from '@tscodex/shared/catalog';
import { t } from '../messages/messages.ts';
import { spoken } from '../messages/spoken.ts';

export type Group = { title: string; sessions: CatalogEntry[] };

/** The newest days by their names, then a group a month. `sessions`: the newest first. */
export function dayGroups(sessions: readonly CatalogEntry[], now: Date): Group[] {
  const groups: Group[] = [];
  for (const session of sessions) {
    const title = titleOfDay(new Date(session.lastActivityAt), now);
    const last = groups.at(-1);
    if (last?.title === title) last.sessions.push(session);
    else groups.push({ title, sessions: [session] });
  }
  return groups;
}

/** A clock that runs ahead elsewhere makes no days of its own. */
function titleOfDay(day: Date, now: Date): string {
  if (day >= midnight(now, 0)) return t('catalog.today');
  if (day >= midnight(now, 1)) return t('catalog.yesterday');
  if (day >= midnight(now, 7)) return t('catalog.week');
  return spoken().formats.month.format(day);
}

/** By the calendar: a day in spring has 23 hours. */
function midnight(now: Date, daysBefore: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBefore);
}
