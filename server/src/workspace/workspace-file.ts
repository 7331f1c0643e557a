/**
 * The file workspaces.json while a server runs: what people write into it by hand shows at once, and what the
 * server writes into it never loses what they wrote.
 */
import { access, constants, realpath } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '@tscodex/shared/workspace';
import { sweepLeftovers, writeFileAtomically } from '../base/atomic-file.ts';
import { Failure, messageOf, problemOf } from '../base/errors.ts';
import { watchPath } from '../base/path-watch.ts';
import { type NotReadable, readRegularFile } from '../base/regular-file.ts';
import { ConfigDocument } from './config-document.ts';
import { type BoardPlaces, readEntries, type WorkspaceEntry } from './config-file.ts';
import type { RememberedIds } from './remembered-ids.ts';

/** A file that changes under every single attempt is being written by a machine. */
const ATTEMPTS = 5;

/** Bytes; no list of workspaces comes near. */
const FILE_LIMIT = 8 * 1024 * 1024;

const WHY: Record<NotReadable, string> = {
  directory: 'it is a directory',
  special: 'it is not a regular file',
  large: `it is larger than ${FILE_LIMIT / 1024 / 1024} MiB`,
};

/** How its entries are read. */
export type FileReading = { places: BoardPlaces; ids: RememberedIds };

export type Edit = (document: ConfigDocument, entries: readonly WorkspaceEntry[]) => Promise<ConfigDocument>;

export class WorkspaceFile {
  /** As they were when the file was last whole. */
  entries: readonly WorkspaceEntry[] = [];
  /** Why the file cannot be read right now. */
  problem: Problem | null = null;
  readonly #listeners = new Set<() => void>();
  /** By the path that is watched: the file's, and where a link leads. */
  readonly #watches = new Map<string, () => void>();
  #found = false;
  #closed = false;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly path: string,
    private readonly reading: FileReading,
  ) {}

  /** A missing file is an empty list. Throws `workspaces.…` for one that cannot be read. */
  static async open(path: string, reading: FileReading): Promise<WorkspaceFile> {
    const file = new WorkspaceFile(path, reading);
    await sweepLeftovers(path);
    try {
      await file.#watch();
      await file.#take(await file.#read());
    } catch (error) {
      file.close();
      throw error;
    }
    return file;
  }

  /** Called after `entries` or `problem` has changed. Returns how to stop. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads it again, and looks again whether directories are there. */
  refresh(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#watch();
      try {
        await this.#take(await this.#read());
      } catch (error) {
        this.#show(this.entries, problemOf(error));
      }
    });
  }

  /**
   * Reads the file again, edits it and writes it; once more from the start where somebody else has written it
   * meanwhile. One at a time. Throws what `edit` throws, `workspaces.broken` while the file is and
   * `workspaces.write` when the disk refuses; the file is then as it was.
   */
  change(edit: Edit): Promise<void> {
    return this.#inTurn(async () => {
      for (let attempt = 1; ; attempt++) {
        const document = await this.#readForChange();
        const edited = await edit(document, await this.evaluate(document));
        if (await this.#write(edited, document.text)) return this.#take(edited);
        if (attempt === ATTEMPTS) throw this.#unwritten('other programs keep changing it');
      }
    });
  }

  /** The entries as they would be with this text. */
  evaluate(document: ConfigDocument, toBeMade?: ReadonlySet<string>): Promise<WorkspaceEntry[]> {
    const { places, ids } = this.reading;
    return readEntries(document, { places, remembered: ids.ids, ...(toBeMade ? { toBeMade } : {}) });
  }

  close(): void {
    this.#closed = true;
    for (const stop of this.#watches.values()) stop();
    this.#listeners.clear();
  }

  async #watch(): Promise<void> {
    const paths = new Set([this.path, await realpath(this.path).catch(() => this.path)]);
    if (this.#closed) return;
    for (const path of paths)
      if (!this.#watches.has(path))
        this.#watches.set(
          path,
          watchPath(path, () => void this.refresh()),
        );
    for (const [path, stop] of this.#watches) if (!paths.has(path) && this.#watches.delete(path)) stop();
  }

  async #take(document: ConfigDocument): Promise<void> {
    const entries = await this.evaluate(document);
    this.#show(entries, null);
    // where the disk refuses, the next reading tries again
    await this.reading.ids.remember(entries).catch(() => undefined);
  }

  #show(entries: readonly WorkspaceEntry[], problem: Problem | null): void {
    if (isDeepStrictEqual(problem, this.problem) && isDeepStrictEqual(entries, this.entries)) return;
    this.entries = entries;
    this.problem = problem;
    for (const listener of this.#listeners) listener();
  }

  async #read(): Promise<ConfigDocument> {
    const bytes = await readRegularFile(this.path, FILE_LIMIT).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw unreadable(this.path, messageOf(error), error);
    });
    if (bytes === null && this.#found) throw gone(this.path);
    if (typeof bytes === 'string') throw unreadable(this.path, WHY[bytes]);
    if (bytes === null) return ConfigDocument.empty(this.path);
    this.#found = true;
    return ConfigDocument.parse(this.path, decoded(bytes, this.path));
  }

  async #readForChange(): Promise<ConfigDocument> {
    try {
      return await this.#read();
    } catch (error) {
      const message = `Nothing can be changed while the list of workspaces is broken: ${messageOf(error)}`;
      throw new Failure('conflict', 'workspaces.broken', message, { cause: error });
    }
  }

  /** False, and nothing is written, when the file is not `before` any more. */
  async #write({ text }: ConfigDocument, before: string): Promise<boolean> {
    if (text === before && this.#found) return true;
    try {
      // replacing a file asks for rights on its directory alone: one that is write-protected is meant to stay
      if (this.#found) await access(this.path, constants.W_OK);
      await writeFileAtomically(this.path, text, 0o644, async () => {
        const now = await this.#read().catch(() => null); // half saved by somebody right now
        if (now?.text !== before) throw new ChangedMeanwhile();
      });
      this.#found = true;
      return true;
    } catch (error) {
      if (error instanceof ChangedMeanwhile) return false;
      if (error instanceof Failure) throw error;
      throw this.#unwritten(messageOf(error), error);
    }
  }

  #unwritten(reason: string, cause?: unknown): Failure {
    const message = `cannot write ${this.path}: ${reason}; nothing was changed`;
    return new Failure('unavailable', 'workspaces.write', message, { cause });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined); // whoever asked for it hears of it
    return done;
  }
}

class ChangedMeanwhile extends Error {}

function unreadable(path: string, reason: string, cause?: unknown): Failure {
  const message = `cannot read ${path}: ${reason}`;
  return new Failure('invalid', 'workspaces.unreadable', message, { details: { path, reason }, cause });
}

function gone(path: string): Failure {
  const message = `${path} is gone: put it back, or restart the server to begin with an empty list`;
  return new Failure('invalid', 'workspaces.gone', message, { details: { path } });
}

/** With its byte order mark, if any. */
function decoded(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // the decoder says no more than that
    throw new Failure('invalid', 'workspaces.encoding', `${path} is not UTF-8 text`, { details: { path } });
  }
}
