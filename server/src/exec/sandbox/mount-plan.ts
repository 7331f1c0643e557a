/** In which order places are mounted, so that the deepest one decides; pure. */
import { isWithin } from '../../base/paths.ts';

export type Place = {
  /** Absolute, with links resolved. */
  path: string;
  /**
   * `write`: as outside. `shown`: of something hidden, but can be read. `kept`: what is there cannot be changed.
   * `empty`: nothing is there, and nothing can be made there. `hidden`: looks empty.
   */
  access: 'write' | 'shown' | 'kept' | 'empty' | 'hidden';
  directory: boolean;
};

/** The deepest of the places that the path is or lies in; undefined: it is read like everything else. */
export function placeOf(path: string, plan: readonly Place[]): Place | undefined {
  return plan.findLast((place) => isWithin(path, place.path));
}

/** What is to be mounted, in this order. Every path may be there once. */
export function mountPlan(places: readonly Place[]): Place[] {
  const plan: Place[] = [];
  for (const place of [...places].sort(byDepth)) {
    const around = placeOf(place.path, plan)?.access;
    if (changes(place.access, around)) plan.push(place);
  }
  return [...plan, ...plan.flatMap((place) => pins(place, plan))].filter(firstOfItsPath).sort(byDepth);
}

/** The arguments of bubblewrap for a plan; all else is read-only by then. */
export function mountArguments(plan: readonly Place[]): string[] {
  const veils = plan.filter(
    ({ access, directory }) => directory && (access === 'hidden' || access === 'empty'),
  );
  return [
    ...plan.flatMap((place) => mount(place, plan)),
    // only now: until then what is visible inside of them was to be mounted
    ...veils.flatMap(({ path }) => ['--remount-ro', path]),
  ];
}

function mount({ path, access, directory }: Place, plan: readonly Place[]): string[] {
  if (access === 'write') return ['--bind', path, path];
  if (access === 'shown' || access === 'kept') return ['--ro-bind', path, path];
  if (!directory) return ['--ro-bind', '/dev/null', path];
  if (access === 'empty') return ['--perms', '555', '--tmpfs', path];
  const holds = plan.some((other) => other.path !== path && isWithin(other.path, path));
  // what is visible inside can be reached then, but not listed
  return ['--perms', holds ? '111' : '000', '--tmpfs', path];
}

function changes(access: Place['access'], around: Place['access'] | undefined): boolean {
  if (access === 'write') return true;
  if (around === 'hidden') return access === 'shown';
  if (access === 'hidden') return around !== 'empty';
  return around === 'write' && access !== 'shown';
}

/**
 * The directories on the way from a writable place down to one that differs: as mounts of their own they cannot be
 * renamed, and so nothing can be put in the place of what lies in them.
 */
function pins(place: Place, plan: readonly Place[]): Place[] {
  const around = plan.findLast((other) => other !== place && isWithin(place.path, other.path));
  if (around?.access !== 'write') return [];
  const steps = place.path.slice(around.path.length).split('/').filter(Boolean).slice(0, -1);
  return steps.map((_, i) => ({
    path: [around.path, ...steps.slice(0, i + 1)].join('/'),
    ...{ access: 'write', directory: true },
  }));
}

function firstOfItsPath({ path }: Place, index: number, all: Place[]): boolean {
  return all.findIndex((place) => place.path === path) === index;
}

function byDepth(a: Place, b: Place): number {
  return a.path.split('/').length - b.path.split('/').length;
}
