/**
 * The catalogue of all sessions of $CODEX_HOME, ours and Codex's: an index over their files in a database of its own,
 * which is filled in the background and can be deleted at any time.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Indexing } from '@tscodex/shared/catalog';
import { type Database, openDatabase } from '../../base/database.ts';
import { Failure, messageOf } from '../../base/errors.ts';
import { watchPath } from '../../base/path-watch.ts';
import { NEWEST_FIRST } from '../newest-file.ts';
import { FolderWatches } from './folder-watches.ts';
import { Indexer } from './indexer.ts';
import { type CatalogList, type CatalogRow, findRow, type ListQuery, listRows } from './listing.ts';
import { catalogMigrations } from './schema.ts';
import { type Among, type SearchFound, searchRows } from './searching.ts';
import { type SessionFolder, sessionFolderOf } from './session-folders.ts';
import type { ThreadNames } from './thread-names.ts';

type Place = {
  codexHome: string;
  stateDir: string;
  /** What people should know, for the log. */
  warn(text: string): void;
  /** A fault of ours, for the log. */
  fault(what: string, error: unknown): void;
};

type Opened = {
  db: Database;
  indexer: Indexer;
  watches: FolderWatches<SessionFolder>;
  /** Ends all watching. */
  close(): void;
};

/** A file of a session; of several the one that counts comes first. */
export type SessionPlace = { path: string; archived: boolean };

/** Nothing is asked of the disk more often than this because somebody looks at the catalogue. */
const SWEEP_EVERY_MS = 60_000;

export class Catalog {
  #opened: Opened | null = null;
  #closed = false;
  #sweptAt = Number.NEGATIVE_INFINITY;
  /** The last sweep; for tests, and for who needs all of it. */
  #swept: Promise<void> = Promise.resolve();
  #rebuilt = 0;
  readonly #namedListeners = new Set<(names: ThreadNames) => void>();
  readonly #warned = new Set<string>();

  constructor(private readonly place: Place) {}

  /** Begins to fill it; comes back at once. */
  start(): void {
    if (!this.#closed) this.#sweep();
  }

  /** Resolves when all files have been read that were there when the last sweep began. */
  get settled(): Promise<void> {
    return this.#swept;
  }

  /** Whether it was started, or asked already: what is only to be looked at starts nothing. */
  get isOpen(): boolean {
    return this.#opened !== null;
  }

  get indexing(): Indexing | null {
    return this.#opened?.indexer.indexing ?? null;
  }

  list(query: ListQuery): CatalogList {
    this.#lookAgain();
    return this.#asked((db) => listRows(db, query));
  }

  /** null: it is in no file, or is a sub-agent's. */
  find(id: string): CatalogRow | null {
    return this.#asked((db) => findRow(db, id));
  }

  /** What was said in sessions, and below them by their sub-agents; `limit`: sessions. */
  search(q: string, among: Among, limit: number): SearchFound {
    this.#lookAgain();
    return this.#asked((db) => searchRows(db, q, among, limit));
  }

  /** Where a session lies, first the file that it goes on in. */
  filesOf(id: string): SessionPlace[] {
    return this.#asked((db) =>
      db
        .read<{ path: string; archived: number }>(
          `SELECT path, archived FROM files WHERE session = ? ORDER BY ${NEWEST_FIRST}`,
          id,
        )
        .map(({ path, archived }) => ({ path, archived: archived === 1 })),
    );
  }

  /** Sessions that begin in the file of this one, as Codex forks. */
  forksOf(id: string): string[] {
    return this.#asked((db) => sessionsWhere(db, 'base = ? AND session <> ?', id, id));
  }

  /** The sessions of its sub-agents. */
  childrenOf(id: string): string[] {
    return this.#asked((db) => sessionsWhere(db, 'parent = ?', id));
  }

  /** Files have come or gone. Resolves when the catalogue knows. */
  async moved(paths: readonly string[]): Promise<void> {
    const { indexer, watches } = this.#open();
    const files = paths.flatMap((path) => {
      const folder = sessionFolderOf(this.place.codexHome, path);
      return folder ? [{ path, folder }] : [];
    });
    for (const { folder } of files) watches.add(folder);
    await indexer.look(files);
  }

  /** Calls with what sessions were newly called, by id, in Codex or here. Returns how to end that. */
  onNamed(listener: (names: ThreadNames) => void): () => void {
    this.#namedListeners.add(listener);
    return () => this.#namedListeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const opened = this.#opened;
    this.#opened = null;
    opened?.close();
    await opened?.indexer.stop();
    opened?.db.close();
  }

  #lookAgain(): void {
    if (performance.now() - this.#sweptAt > SWEEP_EVERY_MS) this.#sweep();
  }

  #sweep(): void {
    this.#sweptAt = performance.now();
    this.#swept = Promise.resolve().then(() =>
      this.#closed ? undefined : this.#read(this.#open(), (indexer) => indexer.sweep()),
    );
  }

  #asked<Answer>(question: (db: Database) => Answer): Answer {
    try {
      return question(this.#open().db);
    } catch (error) {
      if (!isDamage(error) || this.#rebuilt >= MOST_REBUILT) throw error;
      this.#rebuild(error);
      return question(this.#open().db);
    }
  }

  #open(): Opened {
    if (this.#closed)
      throw new Failure('unavailable', 'server.stopping', 'The server is stopping; start it again.');
    this.#opened ??= this.#openAnew();
    return this.#opened;
  }

  #openAnew(): Opened {
    const db = this.#database();
    const watches = new FolderWatches<SessionFolder>((folders, came) => this.#stirred(folders, came));
    const indexer = new Indexer({
      codexHome: this.place.codexHome,
      db,
      found: (folder) => watches.add(folder),
      named: (names) => {
        for (const listener of this.#namedListeners) listener(names);
      },
      unreadable: (path, error) => this.#unreadable(path, error),
    });
    const names = join(this.place.codexHome, 'session_index.jsonl');
    const unwatch = watchPath(names, () => void this.#read(opened, (reader) => reader.refreshNames()));
    // a new $CODEX_HOME has no folder yet that could be watched
    const unwatchFolders = ['sessions', 'archived_sessions'].map((name) =>
      watchPath(join(this.place.codexHome, name), () => this.#sweep()),
    );
    const close = () => {
      unwatch();
      for (const unwatchFolder of unwatchFolders) unwatchFolder();
      watches.close();
    };
    const opened = { db, indexer, watches, close };
    return opened;
  }

  /** What cannot be used is made anew: it can be told again. */
  #database(): Database {
    const path = this.#path;
    const options = { migrations: catalogMigrations, warn: this.place.warn, synchronous: 'NORMAL' } as const;
    try {
      return openDatabase(path, options);
    } catch (error) {
      this.place.warn(`the catalogue of sessions is made anew: ${messageOf(error)}`);
      removeDatabase(path);
      return openDatabase(path, options);
    }
  }

  /** While it is used it is found damaged. */
  #rebuild(error: unknown): void {
    const opened = this.#opened;
    this.#opened = null;
    this.place.warn(`the catalogue of sessions is made anew: ${messageOf(error)}`);
    this.#rebuilt += 1;
    opened?.close();
    void opened?.indexer.stop();
    opened?.db.close();
    removeDatabase(this.#path);
    this.#sweep();
  }

  get #path(): string {
    return join(this.place.stateDir, 'catalog.sqlite');
  }

  /** A new folder may be a day's, with a session in it already. */
  #stirred(folders: readonly SessionFolder[], came: boolean): void {
    if (came) this.#sweep();
    else if (this.#opened) void this.#read(this.#opened, (indexer) => indexer.refresh(folders));
  }

  /** Never rejects. */
  async #read(opened: Opened, work: (indexer: Indexer) => Promise<void>): Promise<void> {
    try {
      await work(opened.indexer);
    } catch (error) {
      // of one that was given up there is nothing to tell
      if (this.#opened !== opened) return;
      if (isDamage(error) && this.#rebuilt < MOST_REBUILT) this.#rebuild(error);
      else this.place.fault('read the files of sessions', error);
    }
  }

  #unreadable(path: string, error: unknown): void {
    if (this.#warned.has(path) || this.#warned.size >= MOST_WARNED) return;
    this.#warned.add(path);
    this.place.warn(`the catalogue of sessions leaves out ${path}: ${messageOf(error)}`);
  }
}

const MOST_WARNED = 100;

/** A disk that damages it each time is not asked for ever. */
const MOST_REBUILT = 3;

function sessionsWhere(db: Database, condition: string, ...values: string[]): string[] {
  const rows = db.read<{ session: string | null }>(
    `SELECT DISTINCT session FROM files WHERE ${condition}`,
    ...values,
  );
  return rows.flatMap(({ session }) => session ?? []);
}

function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}

/** As libsql tells it, or the failure of a write around that. */
function isDamage(error: unknown): boolean {
  const { code } = ((error as { cause?: unknown }).cause ?? error) as { code?: unknown };
  return typeof code === 'string' && /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}
