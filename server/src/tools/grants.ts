/** What commands may do beyond their sandbox, put together and resolved. */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Grants } from '@tscodex/shared/permissions';
import { Failure } from '../base/errors.ts';
import { isWithin } from '../base/paths.ts';

/** Both together, nothing twice. */
export function withGrants(one: Grants, other: Grants): Grants {
  const read = [...new Set([...(one.read ?? []), ...(other.read ?? [])])];
  const write = [...new Set([...(one.write ?? []), ...(other.write ?? [])])];
  return {
    ...(one.unconfined || other.unconfined ? { unconfined: true } : {}),
    ...(one.network || other.network ? { network: true } : {}),
    ...(read.length ? { read } : {}),
    ...(write.length ? { write } : {}),
  };
}

export function isNothing({ unconfined, network, read = [], write = [] }: Grants): boolean {
  return !unconfined && !network && read.length === 0 && write.length === 0;
}

/**
 * What nobody may allow: the server's own places. What lies in `except` is the session's own all the same. A directory
 * around one of the `files` may be allowed: they stay in it what they are.
 */
export type NeverPlaces = {
  places: readonly string[];
  except: readonly string[];
  files: readonly string[];
};

/** The place that a path equals, contains or lies in; undefined where nothing speaks against it. */
function neverPlace(path: string, { places, except, files }: NeverPlaces): string | undefined {
  const file = files.find((place) => isWithin(path, place));
  if (file !== undefined) return file;
  if (except.some((own) => isWithin(path, own))) return undefined;
  return places.find((place) => isWithin(path, place) || isWithin(place, path));
}

/**
 * The same with absolute paths and links resolved: what will really be touched. Throws `Failure`: a path that does
 * not exist (`grants.missing`), one that nobody may allow (`grants.never`).
 */
export async function resolveGrants(asked: Grants, cwd: string, never: NeverPlaces): Promise<Grants> {
  const real = async (written: string) => {
    const path = await realpath(resolve(cwd, written)).catch(() => null);
    if (path === null)
      throw new Failure(
        'invalid',
        'grants.missing',
        `${written} does not exist, so nobody can be asked for it; name the directory it would be in`,
      );
    refuseNever(path, never);
    return path;
  };
  const [read, write] = await Promise.all([asked.read, asked.write].map((paths = []) => mapped(paths, real)));
  return withGrants({}, { ...asked, read, write });
}

/** Throws `grants.never`. */
export function refuseNever(path: string, never: NeverPlaces): void {
  const place = neverPlace(path, never);
  if (place === undefined) return;
  throw new Failure(
    'forbidden',
    'grants.never',
    `${path} cannot be allowed by anybody: ${place} is this server's own; work without it`,
  );
}

/** Without the paths that lead elsewhere than when a person allowed them. */
export async function stillTrue(grants: Grants): Promise<Grants> {
  const kept = async (paths: readonly string[] = []) => {
    const now = await mapped(paths, (path) => realpath(path).catch(() => null));
    return paths.filter((path, n) => now[n] === path);
  };
  const [read, write] = await Promise.all([kept(grants.read), kept(grants.write)]);
  return withGrants({}, { ...grants, read, write });
}

/** Throws `grants.changed` where a path leads elsewhere than when a person allowed it. */
export async function expectStillTrue(grants: Grants): Promise<void> {
  const now = await stillTrue(grants);
  const gone = (['read', 'write'] as const).flatMap((how) =>
    (grants[how] ?? []).filter((path) => !now[how]?.includes(path)),
  );
  if (gone.length === 0) return;
  throw new Failure(
    'conflict',
    'grants.changed',
    `${gone.join(', ')}: this leads elsewhere than when it was allowed; nothing was run`,
  );
}

function mapped<T, R>(values: readonly T[], to: (value: T) => Promise<R>): Promise<R[]> {
  return Promise.all(values.map(to));
}
