/** What holds the commands of a session, as a permission profile of Codex's: so it reads no more than they do. */
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import type { Place } from '../../exec/sandbox/mount-plan.ts';

/** Its name, in Codex's configuration. */
export const PROFILE = 'tscodex-one-shot';

type Access = 'read' | 'write' | 'deny';
export type Profile = { filesystem: Record<string, Access>; network: { enabled: boolean } };

/** What Codex keeps as it is in every place it may write, also where it is missing. */
const GUARDED = new Set(['.git', '.codex', '.agents']);

/**
 * `plan`: the places that differ from "can be read". `helpers`: what of Codex's own its commands have to reach, wherever
 * that lies. All absolute, with links resolved. Codex lets nobody through a denied directory, so one that holds something
 * visible is denied piece by piece, as it is now. And what is missing it can only keep so by making it for a while, which
 * others see, and which fails where two do so at a time: it gets no place to write that holds such a thing.
 */
export function permissionProfile(
  plan: readonly Place[],
  helpers: readonly string[],
  network: boolean,
): Profile {
  const places = [...plan, ...helpers.map((path): Place => ({ path, access: 'shown', directory: true }))];
  const visible = places.filter(({ access }) => access !== 'hidden').map(({ path }) => path);
  const closed = closedRoots(plan);
  const entries = places.flatMap(({ path, access }): [string, Access][] => {
    if (access === 'empty') return [];
    if (access === 'hidden') return deniedIn(path, visible).map((denied) => [denied, 'deny']);
    return [[path, access === 'write' && !closed.has(path) ? 'write' : 'read']];
  });
  return { filesystem: { ':root': 'read', ...Object.fromEntries(entries) }, network: { enabled: network } };
}

/** What has to be visible of a program: what lies beside it, too, unless that is a hidden directory. */
export function placeOfProgram(program: string, plan: readonly Place[]): string {
  const beside = dirname(program);
  return plan.some(({ path, access }) => path === beside && access === 'hidden') ? program : beside;
}

/** The places to write in which something has to stay missing that Codex does not guard by itself. */
function closedRoots(plan: readonly Place[]): ReadonlySet<string> {
  const roots = plan.filter(({ access }) => access === 'write').map(({ path }) => path);
  const missing = plan.filter(({ path, access }) => access === 'empty' && !GUARDED.has(basename(path)));
  const around = ({ path }: Place) =>
    roots.filter((root) => isWithin(path, root)).reduce((a, b) => (b.length > a.length ? b : a), '');
  return new Set(missing.map(around));
}

function deniedIn(path: string, visible: readonly string[]): string[] {
  if (visible.includes(path)) return [];
  if (!visible.some((shown) => isWithin(shown, path))) return [path];
  return readdirSync(path).flatMap((name) => deniedIn(join(path, name), visible));
}
