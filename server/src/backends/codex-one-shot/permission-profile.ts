/** What holds the commands of a session, as a permission profile of Codex's: so it reads no more than they do. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import type { Place } from '../../exec/sandbox/mount-plan.ts';

/** Its name, in Codex's configuration. */
export const PROFILE = 'tscodex-one-shot';

type Access = 'read' | 'write' | 'deny';
export type Profile = { filesystem: Record<string, Access>; network: { enabled: boolean } };

/**
 * `plan`: the places that differ from "can be read". `helpers`: what of Codex's own its commands have to reach, wherever
 * that lies. All absolute, with links resolved. Codex lets nobody through a denied directory, so one that holds something
 * visible is denied piece by piece, as it is now.
 */
export function permissionProfile(
  plan: readonly Place[],
  helpers: readonly string[],
  network: boolean,
): Profile {
  const places = [...plan, ...helpers.map((path): Place => ({ path, access: 'shown', directory: true }))];
  const visible = places.filter(({ access }) => access !== 'hidden').map(({ path }) => path);
  const entries = places.flatMap(({ path, access }): [string, Access][] => {
    if (access === 'hidden') return deniedIn(path, visible).map((denied) => [denied, 'deny']);
    return [[path, access === 'write' ? 'write' : 'read']];
  });
  return { filesystem: { ':root': 'read', ...Object.fromEntries(entries) }, network: { enabled: network } };
}

function deniedIn(path: string, visible: readonly string[]): string[] {
  if (visible.includes(path)) return [];
  if (!visible.some((shown) => isWithin(shown, path))) return [path];
  return readdirSync(path).flatMap((name) => deniedIn(join(path, name), visible));
}
