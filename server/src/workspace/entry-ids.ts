/**
 * Ids of the entries of one workspaces.json. Those that are written count; the others keep the one they had for
 * their directory, so that their sessions stay theirs when the list is reordered, or get the lowest `workspace-N`
 * that is free.
 */
import * as z from 'zod';

export const workspaceId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/, 'may only contain letters, digits, "_" and "-" (at most 100)');

/** What an entry without an id is known by: its directory and board, and which of those with the same it is. */
export type EntryKey = string;

/** Whether two entries without an id have the same directory and board: only their order tells them apart. */
export function areTwins(a: EntryKey, b: EntryKey): boolean {
  const alike = (key: EntryKey) => key.replace(/ \d+$/, '');
  return alike(a) === alike(b);
}

export type AssignedId = {
  id: string;
  /** The id that is written, where an earlier entry has it. */
  taken?: string;
  /** Where no id is written. */
  key?: EntryKey;
};

const optionalText = z.string().optional().catch(undefined);
const known = z.object({
  id: workspaceId.optional().catch(undefined),
  work_dir: optionalText,
  cwd: optionalText,
  board: optionalText,
});
type Known = z.output<typeof known>;

export function assignIds(list: readonly unknown[], remembered: ReadonlyMap<EntryKey, string>): AssignedId[] {
  const entries: Known[] = list.map((raw) => known.safeParse(raw).data ?? {});
  const keys = keysOf(entries);
  const taken = new Set<string>();
  const claim = (id: string | undefined) => {
    if (id === undefined || taken.has(id)) return undefined;
    taken.add(id);
    return id;
  };
  const written = entries.map(({ id }) => claim(id));
  const kept = keys.map((key, n) => written[n] ?? claim(key && remembered.get(key)));
  // an id of another directory has that one's sessions
  for (const id of remembered.values()) taken.add(id);
  return entries.map((entry, n) => {
    const id = kept[n] ?? lowestFree(taken);
    taken.add(id);
    if (written[n] !== undefined) return { id };
    return { id, ...(entry.id === undefined ? { key: keys[n] ?? '' } : { taken: entry.id }) };
  });
}

/** No two are the same; undefined where an id is written. */
function keysOf(entries: readonly Known[]): (EntryKey | undefined)[] {
  const seen = new Map<string, number>();
  return entries.map(({ id, work_dir, cwd, board }) => {
    if (id !== undefined) return undefined;
    const place = JSON.stringify([work_dir ?? cwd, board]);
    const before = seen.get(place) ?? 0;
    seen.set(place, before + 1);
    return before === 0 ? place : `${place} ${before}`;
  });
}

export function lowestFree(taken: { has(id: string): boolean }): string {
  for (let n = 1; ; n++) if (!taken.has(`workspace-${n}`)) return `workspace-${n}`;
}

/** From a name as near as an id can be to it. */
export function idFor(name: string | undefined, taken: { has(id: string): boolean }): string {
  const plain = (name ?? '').normalize('NFKD').replace(/\p{M}/gu, '');
  const id = plain
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
  if (id === '') return lowestFree(taken);
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? id : `${id}-${n}`;
    if (!taken.has(candidate)) return candidate;
  }
}
