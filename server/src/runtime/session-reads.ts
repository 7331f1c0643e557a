/** What this server may read for a session and tell its model: no more than commands of the session can read. */
import type { Stats } from 'node:fs';
import type { MayRead } from '../base/file-at-path.ts';
import { isWithin } from '../base/paths.ts';
import { mayReach, type Owner, type Owners } from '../exec/sandbox/owner.ts';
import type { SessionPermissions } from './session-permissions.ts';

/** What is there belongs to processes, this server's among them, or does something when it is read. */
const NO_FILES = ['/proc', '/sys', '/dev'];

/**
 * As it is now. `cwd`: the commands run as its owner; where there is none, or something else stands in its place,
 * nothing runs and nothing is read.
 */
export function readsOf(
  cwd: string,
  permissions: Pick<SessionPermissions, 'concealing'>,
  owners: Pick<Owners, 'of'>,
): MayRead {
  const conceals = permissions.concealing;
  const owner = ownerOf(cwd, owners);
  if (owner === 'nobody') return () => false;
  return ({ path, stats }) => {
    if (NO_FILES.some((place) => isWithin(path, place)) || conceals(path)) return false;
    return owner === null || (mayReach(path, owner) && mayOpen(stats, owner));
  };
}

/** null: whoever runs this server. */
function ownerOf(cwd: string, owners: Pick<Owners, 'of'>): Owner | null | 'nobody' {
  try {
    return owners.of(cwd);
  } catch {
    return 'nobody';
  }
}

/** What is the user's own can be opened first. */
function mayOpen({ mode, uid, gid }: Stats, owner: Owner): boolean {
  return uid === owner.uid || ((mode >> (owner.groups.includes(gid) ? 3 : 0)) & 4) === 4;
}
