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
 * `plan`: the places that differ from "can be read". `codexHome`: where Codex's commands have to reach Codex's own
 * helpers, and nothing else. Codex lets nobody through a denied directory, so one that holds something visible is denied
 * piece by piece, as it is now.
 */
export function permissionProfile(plan: readonly Place[], codexHome: string, network: boolean): Profile {
  const helpers: Place = { path: join(codexHome, 'tmp'), access: 'shown', directory: true };
  const visible = [...plan, helpers].filter(({ access }) => access !== 'hidden').map(({ path }) => path);
  const entries = [...plan, helpers].flatMap(({ path, access }): [string, Access][] => {
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
