/** Completes the path of a directory while somebody types it. */
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pathFrom } from './config-file.ts';

const LIMIT = 50;

/**
 * What `typed` may be completed to, as it would be typed: without a slash at the end, sorted, hidden directories
 * only where the last part begins with a dot. Relative paths start at `base`; with `within`, a resolved directory,
 * nothing outside is told. What cannot be read has nothing in it.
 */
export async function completeDirectory(typed: string, base: string, within?: string): Promise<string[]> {
  const path = typed === '~' ? '~/' : typed;
  const cut = path.lastIndexOf(sep) + 1;
  const [above, begun] = [path.slice(0, cut), path.slice(cut)];
  const parent = await realpath(pathFrom(base, above)).catch(() => null);
  if (parent === null || !isWithin(parent, within)) return [];
  const names = (await readdir(parent, { withFileTypes: true }).catch(() => []))
    .filter((entry) => isMeant(entry, begun))
    .map((entry) => ({ entry, name: entry.name }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.name < b.name ? -1 : 1));
  const found: string[] = [];
  for (const { entry, name } of names) {
    if (found.length === LIMIT) break;
    if (entry.isDirectory() || (await leadsToDirectory(join(parent, name), within))) found.push(above + name);
  }
  return found;
}

function isMeant(entry: Dirent, begun: string): boolean {
  const { name } = entry;
  if (!entry.isDirectory() && !entry.isSymbolicLink()) return false;
  if (name.startsWith('.') && !begun.startsWith('.')) return false;
  // what nobody can type: control characters, and bytes that are no text
  return name.toLowerCase().startsWith(begun.toLowerCase()) && !/[\p{Cc}\uFFFD]/u.test(name);
}

async function leadsToDirectory(link: string, within: string | undefined): Promise<boolean> {
  const real = await realpath(link).catch(() => null);
  if (real === null || !isWithin(real, within)) return false;
  return (await stat(real).catch(() => null))?.isDirectory() ?? false;
}

function isWithin(path: string, dir: string | undefined): boolean {
  return dir === undefined || path === dir || path.startsWith(dir.endsWith(sep) ? dir : dir + sep);
}
