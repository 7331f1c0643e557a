/**
 * Ids of the entries of one workspaces.json. Those that are written count; the others keep the one they had for
 * their directory, so that their sessions stay theirs when the list is reordered, or get the lowest `workspace-N`
 * that is free.
 */
import * as z from 'zod';

export const workspaceId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/, 'may only contain letters, digits, "_" and "-" (at most 100)');

/** What an entry without an id is known by. */
export type EntryKey = string;

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

export function assignIds(list: readonly unknown[], remembered: ReadonlyMap<EntryKey, string>): AssignedId[] {
  const entries = list.map((raw) => known.safeParse(raw).data ?? {});
  const keys = entries.map(({ work_dir, cwd, board }) => JSON.stringify([work_dir ?? cwd, board]));
  const taken = new Set<string>();
  const claim = (id: string | undefined) => {
    if (id === undefined || taken.has(id)) return undefined;
    taken.add(id);
    return id;
  };
  const written = entries.map(({ id }) => claim(id));
  const kept = keys.map((key, n) => written[n] ?? (entries[n]?.id ? undefined : claim(remembered.get(key))));
  return entries.map((entry, n) => {
    const id = kept[n] ?? lowestFree(taken);
    taken.add(id);
    if (written[n] !== undefined) return { id };
    return { id, ...(entry.id === undefined ? { key: keys[n] ?? '' } : { taken: entry.id }) };
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
