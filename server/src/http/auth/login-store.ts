/** Where logins are kept. Only hashes: reading the database lets nobody in. */
import type { Database } from '../../base/database.ts';

export type StoredLogin = {
  idHash: string;
  name: string | null;
  userAgent: string | null;
  /** Of the secret it was opened with; another secret ends it. */
  fingerprint: string;
  /** ISO 8601 UTC. */
  createdAt: string;
  lastSeenAt: string;
};

export interface LoginStore {
  find(idHash: string): StoredLogin | null;
  /** Resolves once it is on disk. */
  insert(login: StoredLogin): Promise<void>;
  /** Resolves once it is on disk. */
  rename(idHash: string, name: string): Promise<void>;
  touch(idHash: string, at: string): Promise<void>;
  remove(idHash: string): Promise<void>;
  /** Drops what was opened with another secret, what was not seen since `since`, and all but the newest `keep`. */
  prune(options: { fingerprint: string; since: string; keep: number }): Promise<void>;
}

/** Logins in the table `logins`. */
export function databaseLoginStore(database: Database): LoginStore {
  return {
    find: (idHash) => database.read<StoredLogin>(FIND, idHash)[0] ?? null,
    insert: (login) =>
      database.write(
        INSERT,
        login.idHash,
        login.name,
        login.userAgent,
        login.fingerprint,
        login.createdAt,
        login.lastSeenAt,
      ),
    rename: (idHash, name) => database.write('UPDATE logins SET name = ? WHERE id_hash = ?', name, idHash),
    touch: (idHash, at) => database.write('UPDATE logins SET last_seen_at = ? WHERE id_hash = ?', at, idHash),
    remove: (idHash) => database.write('DELETE FROM logins WHERE id_hash = ?', idHash),
    prune: ({ fingerprint, since, keep }) => database.write(PRUNE, fingerprint, since, keep),
  };
}

const FIND = `SELECT id_hash AS idHash, name, user_agent AS userAgent, secret_fingerprint AS fingerprint,
  created_at AS createdAt, last_seen_at AS lastSeenAt FROM logins WHERE id_hash = ?`;

const INSERT = `INSERT INTO logins (id_hash, name, user_agent, secret_fingerprint, created_at, last_seen_at)
  VALUES (?, ?, ?, ?, ?, ?)`;

const PRUNE = `DELETE FROM logins WHERE secret_fingerprint <> ? OR last_seen_at < ?
  OR id_hash NOT IN (SELECT id_hash FROM logins ORDER BY last_seen_at DESC LIMIT ?)`;
