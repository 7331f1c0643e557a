/**
 * The state database's schema, one step a version, applied in order and never changed once released. Times are
 * ISO 8601 UTC texts, JSON columns hold JSON text.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    title TEXT,
    cwd TEXT NOT NULL,
    rollout_path TEXT NOT NULL,
    backend TEXT NOT NULL,
    model TEXT,
    effort TEXT,
    profile TEXT,
    open INTEGER NOT NULL DEFAULT 1,
    position INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    last_activity_at TEXT NOT NULL,
    crashes INTEGER NOT NULL DEFAULT 0,
    turn_id TEXT,
    turn_started_at TEXT,
    request_sent INTEGER NOT NULL DEFAULT 0,
    can_continue INTEGER NOT NULL DEFAULT 0,
    usage TEXT
  ) STRICT;
  CREATE INDEX sessions_of_workspace ON sessions (workspace_id, open, position);

  CREATE TABLE inputs (
    session_id TEXT NOT NULL,
    id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    mode TEXT NOT NULL,
    body TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'withdrawn', 'done')),
    PRIMARY KEY (session_id, id)
  ) STRICT;

  CREATE TABLE asks (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    call_id TEXT NOT NULL,
    body TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'answered', 'withdrawn', 'expired')),
    answer TEXT,
    answered_by TEXT,
    closed_at TEXT
  ) STRICT;
  CREATE INDEX asks_of_session ON asks (session_id, state);

  CREATE TABLE started_calls (
    session_id TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    call_id TEXT NOT NULL,
    PRIMARY KEY (session_id, turn_id, call_id)
  ) STRICT;

  -- messages that are streaming, as far as they have come: what a crash leaves of them
  CREATE TABLE drafts (
    session_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session_id, item_id)
  ) STRICT;

  CREATE TABLE logins (
    id_hash TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    name TEXT,
    secret_fingerprint TEXT NOT NULL,
    user_agent TEXT
  ) STRICT;

  CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `,
  `
  -- how the newest turn that has ended did so: {id, status, at}
  ALTER TABLE sessions ADD COLUMN last_turn TEXT;
  ALTER TABLE sessions ADD COLUMN closed_at TEXT;
  `,
  `
  -- images people sent and the agent looked at; the bytes are files. One that nothing uses is swept after a while
  CREATE TABLE attachments (
    id TEXT PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    used INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX unused_attachments ON attachments (workspace_id, created_at) WHERE used = 0;
  `,
  `
  -- used: how often; sha256: of what an agent looked at, which is kept once
  ALTER TABLE attachments ADD COLUMN sha256 TEXT;
  CREATE INDEX attachments_of_workspace ON attachments (workspace_id, sha256);
  `,
  `
  -- what waits was left from before the session was closed: a person says when it goes on
  ALTER TABLE sessions ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- what people set for the session alone; null: as its workspace and the configuration say
  ALTER TABLE sessions ADD COLUMN sandbox TEXT;
  ALTER TABLE sessions ADD COLUMN approval TEXT;
  ALTER TABLE sessions ADD COLUMN network INTEGER;
  `,
  `
  -- what was allowed for the rest of the session and does not hold any more
  ALTER TABLE asks ADD COLUMN taken_back_at TEXT;
  ALTER TABLE asks ADD COLUMN taken_back_by TEXT;

  -- who made which rule, and when: the files of rules, which are Codex's, do not say. prefix: its words, as JSON
  CREATE TABLE rules_made (prefix TEXT PRIMARY KEY, made_by TEXT, made_at TEXT NOT NULL) STRICT;
  `,
  `
  -- what wakes the agent when it is idle: {periodMinutes, nextAt}
  ALTER TABLE sessions ADD COLUMN clock TEXT;
  `,
  `
  -- what the agent has left running or has not been told of: see SavedWakes
  ALTER TABLE sessions ADD COLUMN wakes TEXT;
  `,
  `
  -- of a session that another one's agent has started. told_turn: the newest of its turns of whose end that agent knows
  ALTER TABLE sessions ADD COLUMN parent_id TEXT;
  ALTER TABLE sessions ADD COLUMN nickname TEXT;
  ALTER TABLE sessions ADD COLUMN told_turn TEXT;
  CREATE INDEX sessions_of_parent ON sessions (parent_id) WHERE parent_id IS NOT NULL;
  `,
  `
  -- sessions that people have taken away; their files, as JSON, lie in the state directory until they are swept.
  -- parent: of a sub-agent's, which went with it
  CREATE TABLE deleted_sessions (
    id TEXT PRIMARY KEY,
    parent TEXT,
    files TEXT NOT NULL,
    deleted_at TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- of one that is given to a Codex that keeps no ids of messages: the bytes that the session's file had before
  ALTER TABLE inputs ADD COLUMN given_at INTEGER;
  `,
  `
  -- facts: of which sessions anything was ever in their file; of those from before, as far as it is known: a turn
  -- that failed at once has left its message waiting
  UPDATE facts SET key = 'session.recorded ' || substr(key, 16) WHERE substr(key, 1, 15) = 'session.forked ';
  INSERT OR IGNORE INTO facts (key, value)
    SELECT 'session.recorded ' || id, '' FROM sessions
      WHERE usage IS NOT NULL OR last_turn ->> 'status' = 'completed'
        OR coalesce(last_turn, turn_id) IS NOT NULL
          AND id NOT IN (SELECT session_id FROM inputs WHERE state = 'waiting');
  `,
  `
  -- opened from the catalogue in a workspace where nobody has said anything in it yet: once it is closed, it is listed
  -- where its file says
  ALTER TABLE sessions ADD COLUMN visiting INTEGER NOT NULL DEFAULT 0;
  `,
];
