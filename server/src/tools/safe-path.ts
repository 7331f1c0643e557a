/** Where programs are looked for that run outside the sandbox. */
import { realpath } from 'node:fs/promises';
import { delimiter, isAbsolute } from 'node:path';
import type { Confinement } from '../exec/confinement.ts';
import { lies } from './grants.ts';

/**
 * PATH without the places a confined command may write: it could have put a program there under the name of one
 * that rules allow.
 */
export async function safePath(path: string, roots: Confinement['roots']): Promise<string> {
  const kept: string[] = [];
  for (const place of path.split(delimiter)) {
    if (!isAbsolute(place)) continue;
    const real = await realpath(place).catch(() => null);
    if (real !== null && !roots.some((root) => lies(real, root))) kept.push(place);
  }
  return kept.join(delimiter);
}
