/** Whether a process may do more than one that were started now. */
import type { Grants } from '@tscodex/shared/permissions';
import { isWithin } from '../base/paths.ts';
import type { Confinement } from '../exec/sandbox/confinement.ts';

/** null: nothing holds it. */
export function isHeldMoreLoosely(it: Confinement | null, now: Confinement | null): boolean {
  if (now === null) return false;
  if (it === null) return true;
  const within = (places: readonly string[], allowed: readonly string[]) =>
    places.every((path) => allowed.some((place) => isWithin(path, place)));
  const writable = [...now.roots, ...now.write];
  return (
    (it.mode === 'workspace-write' && now.mode === 'read-only') ||
    (it.network && !now.network) ||
    (it.unixSockets && !now.unixSockets) ||
    !within(it.roots, writable) ||
    // what is granted lifts the protection of single places in the roots
    !within(it.write, now.write) ||
    !within(it.readable, [...now.readable, ...writable]) ||
    !within(now.hidden, it.hidden)
  );
}

/** What it may do beyond its mode and one that were started now would need to be allowed. */
export function grantedBeyond(it: Confinement, now: Confinement | null): Grants {
  const write = it.write.filter((path) => !now?.write.some((place) => isWithin(path, place)));
  return {
    ...(it.network && !now?.network ? { network: true } : {}),
    ...(write.length > 0 ? { write } : {}),
  };
}
