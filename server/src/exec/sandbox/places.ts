/** What a confinement means on this disk, now: which places differ from "can be read, cannot be written". */
import { Failure } from '../../base/errors.ts';
import { isWithin } from '../../base/paths.ts';
import type { Confinement } from './confinement.ts';
import { type Place, placeOf } from './mount-plan.ts';
import { protectedOfGrant, protectedPlaces } from './protected-paths.ts';
import { type RealPlace, realPlace } from './real-place.ts';

/** Where only the kernel makes things: commands have their own. */
const OF_THE_KERNEL = ['/proc', '/sys', '/dev'];

/** The user the command runs as, and the homes whose start-up files are protected. */
export type Runner = { uid: number; homes: readonly string[] };

/**
 * Every path once. What may be written or read was resolved when it was judged and is what it was named, or it is
 * not touched. Throws `sandbox.root`, `sandbox.protected`, and where a path leads elsewhere by now `grants.changed`
 * or `session.cwd-changed`.
 */
export function placesOf(confinement: Confinement, runner: Runner): Place[] {
  const written = writable(confinement.write, allowedElsewhere);
  const roots = confinement.mode === 'workspace-write' ? writable(confinement.roots, worksElsewhere) : [];
  const granted = written.map(({ path }) => path);
  const surroundings = { granted, ...runner };
  const kept = [
    ...directories(roots).flatMap((path) => protectedPlaces(path, surroundings)),
    ...directories(written).flatMap((path) => protectedOfGrant(path, surroundings)),
  ];
  // of the same path the first one counts
  return [
    ...written,
    ...readable(confinement.readable),
    ...existing(confinement.hidden, 'hidden'),
    ...existing(confinement.kept ?? [], 'kept'),
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

function writable(paths: readonly string[], elsewhere: (path: string, real: string) => Failure): Place[] {
  // the temporary directory in memory is one of their own, and can be written
  const unusual = paths.filter((path) => !isWithin(path, '/dev/shm'));
  return unusual.map((path) => {
    const real = realPlace(path) ?? refuse(path, 'it does not exist');
    if (real.path !== path) throw elsewhere(path, real.path);
    if (path === '/') refuse(path, 'everything would be writable');
    const kernel = OF_THE_KERNEL.find((place) => isWithin(path, place));
    if (kernel) refuse(path, `what is in ${kernel} belongs to the system`);
    return placed(real, 'write');
  });
}

function readable(paths: readonly string[]): Place[] {
  return paths.flatMap((path) => {
    const real = realPlace(path);
    return real?.path === path ? [placed(real, 'shown')] : [];
  });
}

/** What is missing, or where this server may not look, is neither hidden nor kept. */
function existing(paths: readonly string[], access: 'hidden' | 'kept'): Place[] {
  return paths.flatMap((path) => {
    const real = realPlace(path);
    return real ? [placed(real, access)] : [];
  });
}

function placed({ path, directory }: RealPlace, access: Place['access']): Place {
  return { path, access, directory };
}

function allowedElsewhere(path: string): Failure {
  return new Failure(
    'conflict',
    'grants.changed',
    `${path}: this leads elsewhere than when it was allowed; nothing was run`,
  );
}

function worksElsewhere(path: string, real: string): Failure {
  return new Failure(
    'conflict',
    'session.cwd-changed',
    `nothing was run: ${path} leads to ${real} by now, and commands write only where the session began; put the directory back, or start a session there`,
    { details: { path, real } },
  );
}

function refuse(path: string, why: string): never {
  throw new Failure(
    'invalid',
    'sandbox.root',
    `commands cannot be let write in ${path}: ${why}; correct writable_roots or what was allowed`,
    { details: { path, why } },
  );
}
