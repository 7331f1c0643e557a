/** Where a confined program may write, told without running one. Pure. */
import { dirname, join } from 'node:path';
import type { Confinement } from '../exec/confinement.ts';
import { lies } from './grants.ts';

/** Directly in a root these stay as they are. */
const PROTECTED = ['.git', '.codex', '.agents'];

/**
 * Whether the path, absolute and resolved, could be written. Where places lie in one another the deepest decides; of
 * one and the same place what was allowed comes first, what is hidden second.
 */
export function isWritable(path: string, { write, hidden, readable, roots }: Confinement): boolean {
  const places = [
    ...write.map((place) => ({ place, writable: true })),
    ...readable.map((place) => ({ place, writable: false })),
    ...hidden.map((place) => ({ place, writable: false })),
    ...roots.flatMap((root) => [
      ...PROTECTED.map((name) => ({ place: join(root, name), writable: false })),
      { place: root, writable: true },
    ]),
  ];
  const around = places.filter(({ place }) => lies(path, place));
  const deepest = around.reduce((longest, { place }) => Math.max(longest, place.length), 0);
  return around.find(({ place }) => place.length === deepest)?.writable ?? false;
}

/** The place itself or the nearest around it for which `exists` holds. */
export async function nearest(path: string, exists: (path: string) => Promise<boolean>): Promise<string> {
  const above = dirname(path);
  return above === path || (await exists(path)) ? path : nearest(above, exists);
}
