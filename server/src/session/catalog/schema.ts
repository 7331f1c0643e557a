/**
 * The catalogue's own database: what it holds is told by the files of sessions, so it can be deleted and is filled
 * again. Steps as those of the state database.
 */
import { NEWEST_FIRST } from '../newest-file.ts';

export const catalogMigrations: readonly string[] = [
  `
  -- id: see numbers. read_to, next_line: where the next reading goes on; mark: a hash of what stands right before that
  -- shown: of several files of a session the one that counts; parent: of a sub-agent's session
  CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    dir TEXT NOT NULL,
    archived INTEGER NOT NULL,
    size INTEGER NOT NULL,
    mtime REAL NOT NULL,
    read_to INTEGER NOT NULL,
    next_line INTEGER NOT NULL,
    mark TEXT NOT NULL,
    said INTEGER NOT NULL,
    session TEXT,
    created_at TEXT,
    last_at TEXT,
    cwd TEXT,
    originator TEXT,
    model TEXT,
    preview TEXT,
    forked_from TEXT,
    parent TEXT,
    base TEXT,
    shown INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX files_of_directory ON files (dir);
  CREATE INDEX files_of_session ON files (session);
  CREATE INDEX files_of_base ON files (base) WHERE base IS NOT NULL;
  CREATE INDEX files_of_parent ON files (parent) WHERE parent IS NOT NULL;
  CREATE INDEX listed ON files (archived, last_at DESC, session DESC) WHERE shown = 1 AND parent IS NULL;

  CREATE TABLE said (
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL,
    item TEXT NOT NULL,
    by TEXT NOT NULL,
    at TEXT NOT NULL,
    text TEXT NOT NULL,
    loose INTEGER NOT NULL,
    UNIQUE (file, item)
  ) STRICT;

  -- three letters and more are found by trigrams, what is shorter by terms of its own: see short-terms
  CREATE VIRTUAL TABLE grams USING fts5(text, content='', contentless_delete=1, tokenize='trigram');
  CREATE VIRTUAL TABLE terms USING fts5(text, content='', contentless_delete=1, detail='none', prefix='1',
    tokenize='unicode61 remove_diacritics 0');

  -- what Codex's sessions were called by people
  CREATE TABLE names (session TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
  `,
  `
  -- one row once the names have been read: those that a new catalogue begins with are no news to anybody
  CREATE TABLE names_read (once INTEGER PRIMARY KEY) STRICT;
  INSERT INTO names_read SELECT 1 WHERE EXISTS (SELECT 1 FROM names) OR EXISTS (SELECT 1 FROM files);
  `,
  `
  -- before, the file written last counted
  UPDATE files SET shown = (id = (SELECT id FROM files AS its WHERE its.session = files.session
    ORDER BY ${NEWEST_FIRST} LIMIT 1)) WHERE session IS NOT NULL;
  `,
  `
  -- what sub-agents say is found from here on: their files are read again
  DELETE FROM files WHERE parent IS NOT NULL;
  `,
];
