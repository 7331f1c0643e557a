/** One file of the configuration: as it was when it was last whole, and why it is not now. */
import { realpath } from 'node:fs/promises';
import type { Problem } from '@tscodex/shared/workspace';
import { Failure, problemOf } from '../errors.ts';
import { watchPath } from '../path-watch.ts';
import { parseToml, readTomlText, type TomlFile } from './toml-file.ts';

/** What is read from a file: null when there is none. The same text means the same. Throws `Failure`. */
export type Reading<T> = (toml: TomlFile | null) => T | Promise<T>;

export class ConfigFile<T> {
  #value: { last: T } | null = null;
  /** Of the last look, unless it failed: what has not changed is not read again. */
  #text: string | null | undefined;
  #failure: Failure | null = null;
  #exists = false;
  /** By the path that is watched: the file's, and where a link leads. */
  readonly #watches = new Map<string, () => void>();
  #closed = false;

  /** `stirred`: something has happened to the file; `refresh` sees what. */
  constructor(
    readonly path: string,
    private readonly read: Reading<T>,
    private readonly stirred: () => void,
    /** Whether it is no fault when the file goes away. */
    private readonly mayGo: boolean,
    /** Bytes. */
    private readonly limit: number,
  ) {}

  /** What it says, or said when it was last whole. Throws why, where it never was. */
  get value(): T {
    if (this.#value) return this.#value.last;
    throw this.#failure ?? new Error(`${this.path} was not read yet`);
  }

  get exists(): boolean {
    return this.#exists;
  }

  /** Why it cannot be read right now. */
  get problem(): Problem | null {
    return this.#failure && problemOf(this.#failure);
  }

  async refresh(): Promise<void> {
    await this.#watch();
    try {
      const text = await readTomlText(this.path, this.limit);
      if (text === null && this.#exists && !this.mayGo) throw gone(this.path);
      if (text !== this.#text)
        this.#value = { last: await this.read(text === null ? null : parseToml(this.path, text)) };
      this.#text = text;
      this.#exists = text !== null;
      this.#failure = null;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#text = undefined;
      this.#failure = error;
      this.#exists = true;
    }
  }

  close(): void {
    this.#closed = true;
    for (const stop of this.#watches.values()) stop();
    this.#watches.clear();
  }

  async #watch(): Promise<void> {
    const paths = new Set([this.path, await realpath(this.path).catch(() => this.path)]);
    if (this.#closed) return;
    for (const path of paths)
      if (!this.#watches.has(path)) this.#watches.set(path, watchPath(path, this.stirred));
    for (const [path, stop] of this.#watches) if (!paths.has(path) && this.#watches.delete(path)) stop();
  }
}

function gone(file: string): Failure {
  const message = `${file} is gone: put it back, or restart the server to go on without it`;
  return new Failure('invalid', 'config.gone', message, { details: { file } });
}
