/** Files that come with the program. They lie above the bundle, in a clone as in the published package. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../base/errors.ts';

/** The nearest file of this name from the program's own directory upwards. Throws `unavailable`. */
export function findUp(name: string): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let dir = start; ; dir = dirname(dir)) {
    const path = join(dir, name);
    if (existsSync(path)) return path;
    if (dir === dirname(dir))
      throw new Failure(
        'unavailable',
        'program.incomplete',
        `${name} is missing above ${start}: install again`,
      );
  }
}

/** The program's version, from its package.json. */
export function programVersion(): string {
  return (JSON.parse(readFileSync(findUp('package.json'), 'utf8')) as { version: string }).version;
}

/** Where the program itself lies. */
export function codeDirectory(): string {
  return fileURLToPath(new URL('.', import.meta.url));
}

/** Where the built page lies: beside the bundle. */
export function publicDirectory(): string {
  return fileURLToPath(new URL('./public', import.meta.url));
}
