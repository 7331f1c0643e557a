/** `mkdir -p`. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a directory and those above it that are missing; returns the uppermost that it made. Throws what the
 * file system says. Stands in for Node's own `recursive`, which never comes back where an existing directory
 * answers ENOENT, as /proc does.
 */
export function makeDirectory(path: string, mode = 0o777): string | undefined {
  if (isDirectory(path)) return undefined;
  const above = makeDirectory(dirname(path), mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // somebody else may have made it meanwhile
    if (isDirectory(path)) return above;
    throw error;
  }
  return above ?? path;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
