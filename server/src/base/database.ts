/**
 * The state database: one SQLite file. Reads are synchronous; writes of one tick are committed together, and a
 * write is acknowledged only once its commit has reached the disk (`synchronous = FULL`).
 */
import { closeSync, openSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';
import { Failure, messageOf } from './errors.ts';

export type SqlValue = string | number | null | Uint8Array;

/** Runs one statement inside the transaction of a write. */
export type Run = (sql: string, ...params: SqlValue[]) => void;

export interface Database {
  /** All rows of a query. Writes that still wait for their commit are not seen. */
  read<Row = Record<string, unknown>>(sql: string, ...params: SqlValue[]): Row[];
  /**
   * Resolves after the commit that carries this write. Rejects with `state.write` when the disk refused it, with
   * the error itself when the work threw; the other writes of the tick are then unaffected.
   */
  write(work: (run: Run) => void): Promise<void>;
  write(sql: string, ...params: SqlValue[]): Promise<void>;
  /** Commits now, after everything that waits. Throws what `write` rejects with. */
  writeNow(work: (run: Run) => void): void;
  writeNow(sql: string, ...params: SqlValue[]): void;
  /** Commits what waits and closes; twice does no harm. Later calls fail with `state.write`. */
  close(): void;
}

type Job = { work: (run: Run) => void; done: (error?: unknown) => void };

/** File systems where SQLite's shared memory for WAL does not work, by statfs(2) type. */
const networkFileSystems = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
]);

/**
 * Opens the file, makes it if need be and brings its schema up to date. Throws `state.database` when it cannot be
 * opened and `state.newer` when a later version of this program has written it.
 */
export function openDatabase(
  path: string,
  options: {
    migrations: readonly string[];
    warn: (message: string) => void;
    /**
     * `NORMAL`: its newest writes may be lost to a power cut, they can be made again. `OFF`: it does not outlive this
     * process. Else `FULL`.
     */
    synchronous?: 'NORMAL' | 'OFF';
  },
): Database {
  let db: Libsql.Database | undefined;
  try {
    closeSync(openSync(path, 'a', 0o600)); // SQLite would make it readable for all
    db = new Libsql(path);
    db.exec(`PRAGMA journal_mode = ${journalMode(path, options.warn)}`);
    db.exec(`PRAGMA synchronous = ${options.synchronous ?? 'FULL'}`);
    migrate(db, path, options.migrations);
    return new BatchingDatabase(db, path);
  } catch (error) {
    db?.close();
    if (error instanceof Failure) throw error;
    const what = `cannot open ${path}: ${messageOf(error)}`;
    throw new Failure(
      'unavailable',
      'state.database',
      `${what}: mend it, move it away, or name another directory with --state-dir`,
      { cause: error },
    );
  }
}

function journalMode(path: string, warn: (message: string) => void): 'WAL' | 'TRUNCATE' {
  const network = networkFileSystems.get(statfsSync(dirname(path)).type >>> 0);
  if (network === undefined) return 'WAL';
  warn(`${path} is on ${network}: writes are slower there; --state-dir names a local directory`);
  return 'TRUNCATE';
}

function migrate(db: Libsql.Database, path: string, migrations: readonly string[]): void {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > migrations.length) {
    const found = `${path} has version ${version}, this program knows ${migrations.length}`;
    throw new Failure(
      'unavailable',
      'state.newer',
      `${found}: run the newer tscodex or use another --state-dir`,
    );
  }
  if (version === migrations.length) return;
  // all of them or none: each commit waits for the disk
  const steps = [...migrations.slice(version), `PRAGMA user_version = ${migrations.length}`];
  db.transaction(() => db.exec(steps.join(';\n'))).immediate();
}

class BatchingDatabase implements Database {
  private waiting: Job[] = [];
  private scheduled: NodeJS.Immediate | undefined;
  /** libsql ends the whole process when a closed database is asked something. */
  private closed = false;

  constructor(
    private readonly db: Libsql.Database,
    private readonly path: string,
  ) {}

  read<Row>(sql: string, ...params: SqlValue[]): Row[] {
    if (this.closed) throw this.refused('it is closed');
    return this.db.prepare(sql).all(params) as Row[];
  }

  write(work: string | ((run: Run) => void), ...params: SqlValue[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.enqueue(jobOf(work, params), (error) => (error === undefined ? resolve() : reject(error)));
    });
  }

  writeNow(work: string | ((run: Run) => void), ...params: SqlValue[]): void {
    let failed: unknown;
    this.enqueue(jobOf(work, params), (error) => {
      failed = error;
    });
    this.commit();
    if (failed !== undefined) throw failed;
  }

  close(): void {
    if (this.closed) return;
    this.commit();
    this.closed = true;
    this.db.close();
  }

  private enqueue(work: Job['work'], done: Job['done']): void {
    if (this.closed) {
      done(this.refused('it is closed'));
      return;
    }
    this.waiting.push({ work, done });
    this.scheduled ??= setImmediate(() => this.commit());
  }

  private commit(): void {
    clearImmediate(this.scheduled);
    this.scheduled = undefined;
    const jobs = this.waiting;
    this.waiting = [];
    if (jobs.length === 0) return;
    const failed = new Map<Job, unknown>();
    const run = this.runOfOneCommit();
    try {
      this.db.exec('BEGIN IMMEDIATE');
      for (const job of jobs) this.attempt(job, run, failed);
      this.db.exec('COMMIT');
    } catch (error) {
      if (this.db.inTransaction) this.db.exec('ROLLBACK');
      const failure = this.refused(error);
      for (const job of jobs) job.done(failed.get(job) ?? failure);
      return;
    }
    for (const job of jobs) job.done(failed.get(job));
  }

  /** What is run many times is prepared once. */
  private runOfOneCommit(): Run {
    const prepared = new Map<string, Libsql.Statement>();
    return (sql, ...params) => {
      const statement = prepared.get(sql) ?? this.db.prepare(sql);
      prepared.set(sql, statement);
      statement.run(params);
    };
  }

  /** One job in a savepoint of its own, so that its error is its own. */
  private attempt(job: Job, run: Run, failed: Map<Job, unknown>): void {
    this.db.exec('SAVEPOINT job');
    try {
      job.work(run);
    } catch (error) {
      // a full disk makes SQLite roll the whole transaction back by itself
      if (isDiskError(error) || !this.db.inTransaction) throw error;
      this.db.exec('ROLLBACK TO job');
      failed.set(job, error ?? new Error('a write threw nothing'));
    }
    this.db.exec('RELEASE job');
  }

  private refused(error: unknown): Failure {
    return new Failure('unavailable', 'state.write', `cannot use ${this.path}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function jobOf(work: string | ((run: Run) => void), params: SqlValue[]): Job['work'] {
  return typeof work === 'string' ? (run) => run(work, ...params) : work;
}

function isDiskError(error: unknown): boolean {
  return (
    error instanceof Libsql.SqliteError &&
    /^SQLITE_(FULL|IOERR|READONLY|CORRUPT|CANTOPEN|BUSY)/.test(error.code)
  );
}
