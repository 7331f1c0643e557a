/**
 * Keeps the catalogue as the files are: goes through all folders, reads what is new or has grown from where it was
 * left, forgets what is gone. One file at a time and in small pieces, so that the server stays quick beside it.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Indexing } from '@tscodex/shared/catalog';
import type { Database, Run } from '../../base/database.ts';
import {
  addSaid,
  beginFile,
  endFile,
  fileAt,
  filesIn,
  forgetFile,
  forgetLoose,
  freeFileId,
  type KnownFile,
  knownFolders,
} from './file-table.ts';
import { firstFileNumber } from './numbers.ts';
import { readSessionFile } from './read-session-file.ts';
import {
  type SessionFile,
  type SessionFolder,
  sessionFileAt,
  sessionFilesIn,
  sessionFolders,
} from './session-folders.ts';
import { keepThreadNames, newThreadNames, readThreadNames, type ThreadNames } from './thread-names.ts';

type Ports = {
  codexHome: string;
  db: Database;
  /** Every folder that was found. */
  found(folder: SessionFolder): void;
  /** Sessions have been called something else. */
  named(names: ThreadNames): void;
  /** What cannot be read; once each time it is tried. */
  unreadable(path: string, error: unknown): void;
};

type Urgent = {
  files: readonly { path: string; folder: SessionFolder }[];
  resolve(): void;
  reject(error: unknown): void;
};

/** Characters, or files, of one commit. */
const COMMIT_CHARACTERS = 8 * 1024;
const COMMIT_FILES = 64;

/** Bytes before the place where a reading goes on that must be as they were. */
const MARK_BYTES = 256;

export class Indexer {
  readonly #urgent: Urgent[] = [];
  /** Paths that are to be read, in that order. */
  readonly #stale = new Map<string, SessionFolder>();
  #total = 0;
  #sweeping = 0;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();
  #jobs: ((run: Run) => void)[] = [];
  #characters = 0;
  /** Numbers of files that are not in the database yet. */
  readonly #taken = new Set<number>();

  constructor(private readonly ports: Ports) {}

  /** null: all that was seen has been read. */
  get indexing(): Indexing | null {
    if (this.#sweeping === 0 && this.#stale.size === 0) return null;
    return { done: this.#total - this.#stale.size, total: this.#total };
  }

  /** Goes through everything. Resolves when all of it has been read; rejects with what the database refuses. */
  sweep(): Promise<void> {
    return this.#next(async () => {
      this.#sweeping += 1;
      try {
        await this.#readNames();
        const seen = new Set<string>();
        for await (const folder of sessionFolders(this.ports.codexHome, this.ports.unreadable)) {
          if (this.#stopped) return;
          seen.add(folder.dir);
          this.ports.found(folder);
          await this.#lookNow();
          await this.#compare(folder);
        }
        for (const dir of knownFolders(this.ports.db))
          if (!seen.has(dir)) await this.#compare({ dir, archived: false });
        await this.#readStale();
      } finally {
        this.#sweeping -= 1;
      }
    });
  }

  /** Looks at some folders again. As `sweep`. */
  refresh(folders: readonly SessionFolder[]): Promise<void> {
    return this.#next(async () => {
      for (const folder of folders) await this.#compare(folder);
      await this.#readStale();
    });
  }

  /**
   * Looks at single files, whatever else is under way: somebody waits for it. Resolves when they are known, or known
   * to be gone. Rejects with what the database refuses.
   */
  look(files: readonly { path: string; folder: SessionFolder }[]): Promise<void> {
    const looked = new Promise<void>((resolve, reject) => this.#urgent.push({ files, resolve, reject }));
    this.#next(() => this.#lookNow()).catch(() => undefined); // whoever waits is told
    return looked;
  }

  /** Reads what the sessions are called again. */
  refreshNames(): Promise<void> {
    return this.#next(() => this.#readNames());
  }

  /** Resolves when nothing is being read any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    for (const { resolve } of this.#urgent.splice(0)) resolve();
  }

  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#running.then(() => (this.#stopped ? undefined : work()));
    this.#running = done.catch(() => undefined); // whoever asked for it is told
    return done;
  }

  async #readNames(): Promise<void> {
    const path = join(this.ports.codexHome, 'session_index.jsonl');
    try {
      const names = await readThreadNames(path);
      const changed = newThreadNames(this.ports.db, names);
      await this.ports.db.write((run) => keepThreadNames(run, names));
      if (changed.size > 0) this.ports.named(changed);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      this.ports.unreadable(path, error);
    }
  }

  /** Which files of a folder are to be read, and which are gone. */
  async #compare(folder: SessionFolder): Promise<void> {
    const known = new Map(filesIn(this.ports.db, folder.dir).map((file) => [file.path, file]));
    try {
      for (const { path, size, mtime } of (await sessionFilesIn(folder.dir)) ?? []) {
        const before = known.get(path);
        known.delete(path);
        if (before?.size !== size || before.mtime !== mtime) this.#addStale(path, folder);
      }
    } catch (error) {
      this.ports.unreadable(folder.dir, error);
      return;
    }
    for (const gone of known.values()) this.#job((run) => forgetFile(run, gone));
    await this.#commit();
  }

  #addStale(path: string, folder: SessionFolder): void {
    if (this.#stale.size === 0) this.#total = 0;
    if (!this.#stale.has(path)) this.#total += 1;
    this.#stale.set(path, folder);
  }

  async #readStale(): Promise<void> {
    for (const [path, folder] of this.#stale) {
      if (this.#stopped) break;
      await this.#lookNow();
      await this.#read(path, folder);
      this.#stale.delete(path);
      if (this.#jobs.length >= COMMIT_FILES || this.#characters >= COMMIT_CHARACTERS) await this.#commit();
      await nextTurn();
    }
    await this.#commit();
  }

  async #lookNow(): Promise<void> {
    for (let next = this.#urgent.shift(); next; next = this.#urgent.shift()) {
      const { files, resolve, reject } = next;
      try {
        // one of them may be among what is about to be written
        await this.#commit();
        for (const { path, folder } of files) await this.#read(path, folder);
        await this.#commit();
        resolve();
      } catch (error) {
        reject(error);
        throw error;
      }
    }
  }

  async #read(path: string, folder: SessionFolder): Promise<void> {
    const known = fileAt(this.ports.db, path);
    const file = await sessionFileAt(path);
    if (!file) {
      if (known) this.#job((run) => forgetFile(run, known));
      return;
    }
    try {
      const goesOn = known && known.place.at > 0 && (await markAt(path, known.place.at)) === known.mark;
      const id = known?.id ?? this.#freeId(file);
      this.#job((run) => (goesOn ? forgetLoose(run, id) : beginFile(run, id, path, folder)));
      let said = goesOn ? known.said : 0;
      let last: Pick<KnownFile, 'facts' | 'place'> | undefined;
      for await (const read of readSessionFile(path, file.size, goesOn ? known : null)) {
        last = read;
        const next = said;
        said += read.said.length;
        this.#job((run) => addSaid(run, id, next, read.said));
        for (const { text } of read.said) this.#characters += text.length;
        if (this.#characters >= COMMIT_CHARACTERS) await this.#commit();
        if (this.#stopped) return;
      }
      if (!last) return;
      const end = { ...last, mark: await markAt(path, last.place.at) };
      this.#job((run) => endFile(run, id, file, end));
    } catch (error) {
      // it went, or may not be read: what was known of it does not hold any more
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      this.ports.unreadable(path, error);
      if (known) this.#job((run) => forgetFile(run, known));
    }
  }

  #freeId({ path, mtime }: SessionFile): number {
    let id = freeFileId(this.ports.db, firstFileNumber(path, mtime));
    while (this.#taken.has(id)) id = freeFileId(this.ports.db, id + 1);
    this.#taken.add(id);
    return id;
  }

  #job(work: (run: Run) => void): void {
    this.#jobs.push(work);
  }

  async #commit(): Promise<void> {
    const jobs = this.#jobs;
    this.#jobs = [];
    this.#characters = 0;
    if (jobs.length === 0) return;
    this.#taken.clear();
    const began = performance.now();
    await this.ports.db.write((run) => {
      for (const job of jobs) job(run);
    });
    await idle(performance.now() - began);
  }
}

/** As long as the thread was held up, others have it. */
const LONGEST_PAUSE_MS = 50;

function idle(ms: number): Promise<void> {
  return delay(Math.min(ms, LONGEST_PAUSE_MS));
}

/** Of what stands right before an offset: a file that was written anew has something else there. */
async function markAt(path: string, offset: number): Promise<string> {
  const from = Math.max(0, offset - MARK_BYTES);
  await using handle = await open(path, 'r');
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(offset - from), 0, offset - from, from);
  return createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('base64url');
}
