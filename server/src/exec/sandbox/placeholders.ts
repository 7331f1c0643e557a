/**
 * What bubblewrap leaves where something protected is missing: it needs an empty directory or file there to cover.
 * These are removed once no command needs them, if they are empty still.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** After the end of a command, before the list is written without what it needed. */
const QUIET_MS = 1000;

export class Placeholders {
  /** How many commands need each. */
  readonly #held = new Map<string, number>();
  /** What the list names: with commands that follow one another it need not be written each time. */
  #listed: ReadonlySet<string> = new Set();
  #later: NodeJS.Timeout | undefined;

  /** `list`: the file that keeps them over a crash. Removes what one has left. */
  constructor(private readonly list: string) {
    for (const path of read(list)) remove(path);
  }

  /**
   * To be called before the command starts, with what it covers that is missing or empty. What was there before and
   * is nobody's of ours is left alone. Returns how to let go of them. Throws what the disk says; nothing is held then.
   */
  hold(covered: readonly string[]): () => void {
    const paths = covered.filter((path) => this.#held.has(path) || !existsSync(path));
    if (!paths.length) return () => undefined;
    for (const path of paths) this.#held.set(path, (this.#held.get(path) ?? 0) + 1);
    try {
      this.#save();
    } catch (error) {
      this.#release(paths);
      throw error;
    }
    return () => this.#release(paths);
  }

  #release(paths: readonly string[]): void {
    for (const path of paths) {
      const others = (this.#held.get(path) ?? 1) - 1;
      if (others > 0) this.#held.set(path, others);
      else {
        this.#held.delete(path);
        remove(path);
      }
    }
    this.#later ??= setTimeout(() => this.#shorten(), QUIET_MS).unref();
  }

  #shorten(): void {
    this.#later = undefined;
    try {
      // where it is gone the directory may be, too, with the server that it was made for
      if (existsSync(this.list)) this.#write();
    } catch {
      // a full disk: the list names too much then, which does no harm to what is not empty
    }
  }

  #save(): void {
    if ([...this.#held.keys()].every((path) => this.#listed.has(path))) return;
    this.#write();
  }

  #write(): void {
    mkdirSync(dirname(this.list), { recursive: true, mode: 0o700 });
    writeFileSync(this.list, JSON.stringify([...this.#held.keys()]), { mode: 0o600 });
    this.#listed = new Set(this.#held.keys());
  }
}

function read(list: string): string[] {
  try {
    const paths: unknown = JSON.parse(readFileSync(list, 'utf8'));
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
  } catch {
    return []; // the first start, or a crash in the middle of the writing: an empty directory may stay
  }
}

function remove(path: string): void {
  try {
    const stats = lstatSync(path);
    if (stats.isDirectory()) rmdirSync(path);
    else if (stats.isFile() && stats.size === 0) unlinkSync(path);
  } catch {
    // gone, or by now with something in it that is somebody's
  }
}
