/** Where programs are looked for that run outside the sandbox. */
import { realpath } from 'node:fs/promises';
import { delimiter, isAbsolute } from 'node:path';
import { isWithin } from '../base/paths.ts';

/** Anybody may write there. */
const SHARED = ['/tmp', '/var/tmp', '/dev/shm'];

/** An empty PATH would mean the working directory. */
const SYSTEM = ['/usr/bin', '/bin'];

/**
 * PATH without the places where a confined command may write (`writable`), may have in another mode, or anybody
 * may: a program could have been put there under the name of one that rules allow. With links resolved, so that
 * none of them can be turned.
 */
export async function safePath(path: string, writable: readonly string[]): Promise<string> {
  const places = await Promise.all(path.split(delimiter).filter(isAbsolute).map(resolved));
  const unsafe = await Promise.all([...SHARED, ...writable].map(resolved));
  const kept = places.filter(
    (place) => place !== null && !unsafe.some((root) => root !== null && isWithin(place, root)),
  );
  return [...new Set(kept.length > 0 ? kept : SYSTEM)].join(delimiter);
}

function resolved(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}
