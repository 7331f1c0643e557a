/** Finds the folders that hold a skill. They may be links, in circles, or more than anybody can use: all is bounded. */
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { FileAtPath, type MayRead } from '../base/file-at-path.ts';
import { CLOCK_MS } from './context-files.ts';

export const SKILL_FILE = 'SKILL.md';

/** Folders looked into below one root, and how deep they may lie. */
const MOST_FOLDERS = 1000;
const DEEPEST = 5;
/** Names looked at in one folder. */
const MOST_NAMES = 5000;
/** Folders looked into before others of this server get their turn. */
const AT_ONCE = 50;

/** Absolute, in the order of their names. `isCut`: there is more than was looked at. */
export type SkillFolders = { root: string; folders: string[]; isCut: boolean };

/** What a folder holds. */
type Listing = { hasSkill: boolean; folders: readonly string[]; isCut: boolean };
type Listed = { path: string; id: string; listing: Listing };

export class SkillScanner {
  /** By id, of what has not changed since. */
  #listings = new Map<string, { mtimeMs: number; at: number; listing: Listing }>();

  constructor(private readonly mayRead: MayRead) {}

  /**
   * Below `root`, absolute: the result's is the same with links resolved. A folder with a SKILL.md is one skill; what
   * lies in it is its own. Hidden folders are passed over. null where there is no such folder, or it may not be read.
   */
  async folders(root: string): Promise<SkillFolders | null> {
    const top = await this.#list(root);
    if (!top) return null;
    const found: SkillFolders = { root: top.path, folders: [], isCut: false };
    const seen = new Set<string>();
    let level = [top.path];
    for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
      const below: string[] = [];
      for (const folder of level) {
        if (seen.size >= MOST_FOLDERS) return { ...found, isCut: true };
        const listed = await this.#list(folder);
        if (!listed || seen.has(listed.id)) continue;
        seen.add(listed.id);
        const { hasSkill, folders, isCut } = listed.listing;
        found.isCut ||= isCut;
        if (hasSkill) found.folders.push(folder);
        else below.push(...folders.map((name) => join(folder, name)));
        if (seen.size % AT_ONCE === 0) await setImmediate();
      }
      level = below;
    }
    return found;
  }

  /** null for what is no folder, or may not be read. */
  async #list(folder: string): Promise<Listed | null> {
    try {
      using place = FileAtPath.find(folder);
      if (!place?.found.stats.isDirectory() || !this.mayRead(place.found)) return null;
      const { path, stats } = place.found;
      const { mtimeMs } = stats;
      const id = `${stats.dev} ${stats.ino}`;
      const kept = this.#listings.get(id);
      if (kept?.mtimeMs === mtimeMs && kept.at - mtimeMs > CLOCK_MS)
        return { path, id, listing: kept.listing };
      const at = Date.now();
      const listing = await listingOf(path);
      if (this.#listings.size >= 2 * MOST_FOLDERS) this.#listings.clear();
      this.#listings.set(id, { mtimeMs, at, listing });
      return { path, id, listing };
    } catch {
      return null; // it vanished, or this server may not read it
    }
  }
}

async function listingOf(path: string): Promise<Listing> {
  const folders: string[] = [];
  let names = 0;
  let hasSkill = false;
  for await (const entry of await opendir(path)) {
    if (++names > MOST_NAMES) break;
    if (entry.name === SKILL_FILE) hasSkill = true;
    else if (!entry.name.startsWith('.') && !entry.isFile()) folders.push(entry.name);
  }
  return { hasSkill, folders: folders.sort(), isCut: names > MOST_NAMES };
}
