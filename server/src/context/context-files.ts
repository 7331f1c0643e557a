/**
 * Files that people write for agents, read for the model. They are whatever somebody has put there: only what the
 * session's commands could read as well is read, and of that no more than a bound. Each is read once, and again
 * when it has changed.
 */
import type { Stats } from 'node:fs';
import { messageOf } from '../base/errors.ts';
import { FileAtPath, type MayRead } from '../base/file-at-path.ts';

/** The beginning of a file. `bytes`: of the whole one. `isDamaged`: what was no UTF-8 in it is replaced. */
export type Beginning = { text: string; bytes: number; isCut: boolean; isDamaged: boolean };

/** What stands at a path: a file, or nothing that can be read, and why, in words that go on after its name. */
export type FileResult = { path: string; realPath: string; file: Beginning } | { path: string; why: string };

/** A change within this time of reading may not show in the file's times. */
export const CLOCK_MS = 2000;
/** Bytes of all that is remembered; of more, the oldest are read again. */
const MOST_KEPT = 8 * 1024 * 1024;

type Kept = { mark: string; at: number; file: Beginning };

export class ContextFiles {
  /** By real path. */
  readonly #kept = new Map<string, Kept>();
  #keptBytes = 0;

  constructor(private readonly mayRead: MayRead) {}

  /** At most `limit` bytes of it. The same `file` as before where it has not changed. null: nothing is there. */
  async read(path: string, limit: number): Promise<FileResult | null> {
    try {
      using place = FileAtPath.find(path);
      return place && { path, realPath: place.found.path, ...(await this.#contentOf(place, limit)) };
    } catch (error) {
      return { path, why: whyNot(error) };
    }
  }

  async #contentOf(place: FileAtPath, limit: number): Promise<{ file: Beginning } | { why: string }> {
    const { path, stats } = place.found;
    if (stats.isDirectory()) return { why: 'it is a folder' };
    if (!stats.isFile()) return { why: 'it is not a regular file' };
    if (!this.mayRead(place.found)) return { why: 'the commands of this session may not read it' };
    const mark = `${markOf(stats)} ${limit}`;
    const kept = this.#kept.get(path);
    if (kept?.mark === mark && kept.at - stats.ctimeMs > CLOCK_MS) return kept;
    const at = Date.now();
    const file = { ...decoded(await place.read(limit)), bytes: stats.size, isCut: stats.size > limit };
    this.#keep(path, { mark, at, file });
    return { file };
  }

  #keep(path: string, kept: Kept): void {
    this.#forget(path);
    this.#kept.set(path, kept);
    this.#keptBytes += kept.file.text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#keptBytes <= MOST_KEPT) break;
      this.#forget(oldest);
    }
  }

  #forget(path: string): void {
    this.#keptBytes -= this.#kept.get(path)?.file.text.length ?? 0;
    this.#kept.delete(path);
  }
}

function markOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/** A character that is cut off at the end is left out. */
function decoded(content: Buffer): Pick<Beginning, 'text' | 'isDamaged'> {
  const decode = (fatal: boolean) => new TextDecoder('utf-8', { fatal }).decode(content, { stream: true });
  try {
    return { text: decode(true), isDamaged: false };
  } catch {
    return { text: decode(false), isDamaged: true };
  }
}

function whyNot(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM') return 'this server may not read it';
  if (code === 'ELOOP') return 'it is a symbolic link that leads to itself';
  return messageOf(error);
}
