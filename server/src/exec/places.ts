/** What a confinement means on this disk, now: which places differ from "can be read, cannot be written". */
import { realpathSync, type Stats, statSync } from 'node:fs';
import { Failure } from '../base/errors.ts';
import type { Confinement } from './confinement.ts';
import { isWithin, type Place, placeOf } from './mount-plan.ts';
import { protectedOfGrant, protectedPlaces } from './protected-paths.ts';

/** Where only the kernel makes things: commands have their own. */
const OF_THE_KERNEL = ['/proc', '/sys', '/dev'];

/** The user the command runs as, and the homes whose start-up files are protected. */
export type Runner = { uid: number; homes: readonly string[] };

/** Every path once. Throws `sandbox.root` and `sandbox.protected`. */
export function placesOf(confinement: Confinement, runner: Runner): Place[] {
  const written = writable(confinement.write);
  const roots = confinement.mode === 'workspace-write' ? writable(confinement.roots) : [];
  const granted = written.map(({ path }) => path);
  const surroundings = { granted, ...runner };
  const kept = [
    ...directories(roots).flatMap((path) => protectedPlaces(path, surroundings)),
    ...directories(written).flatMap((path) => protectedOfGrant(path, surroundings)),
  ];
  // of the same path the first one counts
  return [
    ...written,
    ...existing(confinement.readable).map((place) => ({ ...place, access: 'shown' as const })),
    ...existing(confinement.hidden).map((place) => ({ ...place, access: 'hidden' as const })),
    ...kept,
    ...roots,
  ].filter(({ path }, index, all) => all.findIndex((place) => place.path === path) === index);
}

function directories(places: readonly Place[]): string[] {
  return places.filter(({ directory }) => directory).map(({ path }) => path);
}

/**
 * Without what the command's user does not get as far as to anyway: nothing could be mounted there. Throws
 * `sandbox.root` where that was to be written.
 */
export function withinReach(places: readonly Place[], reaches: (path: string) => boolean): Place[] {
  return places.filter(({ path, access }) => {
    const reached = reaches(path);
    if (!reached && access === 'write') refuse(path, 'the user whom the command runs as cannot get there');
    return reached;
  });
}

/** Throws `sandbox.cwd` for a working directory that the command could not see. */
export function expectVisible(cwd: string, plan: readonly Place[]): void {
  if (placeOf(cwd, plan)?.access !== 'hidden') return;
  throw new Failure('forbidden', 'sandbox.cwd', `commands cannot run in ${cwd}: it is hidden from them`, {
    details: { path: cwd },
  });
}

function writable(paths: readonly string[]): Place[] {
  // the temporary directory in memory is one of their own, and can be written
  const unusual = paths.filter((path) => !isWithin(path, '/dev/shm'));
  return unusual.map((path) => {
    const { resolved, stats } = look(path) ?? refuse(path, 'it does not exist');
    if (resolved === '/') refuse(path, 'everything would be writable');
    const kernel = OF_THE_KERNEL.find((place) => isWithin(resolved, place));
    if (kernel) refuse(path, `what is in ${kernel} belongs to the system`);
    return { path: resolved, access: 'write', directory: stats.isDirectory() };
  });
}

function existing(paths: readonly string[]): Omit<Place, 'access'>[] {
  return paths.flatMap((path) => {
    const found = look(path);
    return found ? [{ path: found.resolved, directory: found.stats.isDirectory() }] : [];
  });
}

function look(path: string): { resolved: string; stats: Stats } | null {
  try {
    const resolved = realpathSync(path);
    return { resolved, stats: statSync(resolved) };
  } catch {
    return null; // missing, or where this server may not look: then nothing is hidden there, nor can be written
  }
}

function refuse(path: string, why: string): never {
  throw new Failure(
    'invalid',
    'sandbox.root',
    `commands cannot be let write in ${path}: ${why}; correct writable_roots or what was allowed`,
    { details: { path, why } },
  );
}
