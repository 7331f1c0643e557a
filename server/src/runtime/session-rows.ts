/** The table of sessions: which there are, open and closed, in which order, and what is known of each unloaded. */
import { type Clock, clock, type Usage, usage } from '@tscodex/shared/events';
import { type Permissions, permissions } from '@tscodex/shared/permissions';
import { type SessionSummary, sessionSummary } from '@tscodex/shared/workspace';
import * as z from 'zod';
import type { Database, Run, SqlValue } from '../base/database.ts';
import { type SavedWakes, savedWakes } from './background/saved-wakes.ts';

export type SessionRow = {
  id: string;
  workspaceId: string;
  title: string | null;
  cwd: string;
  rolloutPath: string;
  backend: string;
  model: string | null;
  effort: string | null;
  profile: string | null;
  createdAt: string;
  lastActivityAt: string;
  /** How often the server went down while this session worked, since a turn last ended. */
  crashes: number;
  /** It was opened again with messages that had waited when it was closed; until somebody resumes it. */
  paused: boolean;
  /** The turn the row speaks of, and whether a request of it has gone out since it last took inputs. */
  turnId: string | null;
  requestSent: boolean;
  canContinue: boolean;
  /** Of a session from before its file told what it used. */
  usage: StoredUsage | null;
  /** How the newest turn that has ended did so. */
  lastTurn: SessionSummary['lastTurn'];
  /** What people set for it alone; null: as its workspace and the configuration say. */
  sandbox: Permissions['sandbox'] | null;
  approval: Permissions['approval'] | null;
  network: boolean | null;
  /** What wakes its agent; `nextAt` is when it is idle. */
  clock: Clock | null;
  wakes: SavedWakes | null;
  /** The session whose agent has started this one; see `sub-agents/agent-rows`. */
  parentId: string | null;
  nickname: string | null;
};

/** A session as it begins: the rest is what time brings. */
export const UNTOUCHED = {
  ...{ crashes: 0, paused: false, turnId: null, requestSent: false, canContinue: false },
  ...{ usage: null, lastTurn: null, sandbox: null, approval: null, network: null, clock: null },
  ...{ wakes: null, parentId: null, nickname: null },
} as const satisfies Partial<SessionRow>;

export type StoredUsage = { last: Usage; total: Usage };

const columns = {
  title: 'title',
  cwd: 'cwd',
  model: 'model',
  effort: 'effort',
  lastActivityAt: 'last_activity_at',
  crashes: 'crashes',
  paused: 'paused',
  turnId: 'turn_id',
  requestSent: 'request_sent',
  canContinue: 'can_continue',
  lastTurn: 'last_turn',
  sandbox: 'sandbox',
  approval: 'approval',
  network: 'network',
  clock: 'clock',
  wakes: 'wakes',
} as const;
export type SessionRowPatch = Partial<Pick<SessionRow, keyof typeof columns>>;

const lastTurn = sessionSummary.shape.lastTurn;
const own = {
  sandbox: permissions.shape.sandbox.nullable(),
  approval: permissions.shape.approval.nullable(),
};
const storedUsage = z.object({ last: usage, total: usage });

/** The open sessions of a workspace, in the order of their tabs. */
export function openSessions(db: Database, workspaceId: string): SessionRow[] {
  const rows = db.read(
    `SELECT * FROM sessions WHERE workspace_id = ? AND open = 1 AND parent_id IS NULL
       ORDER BY position, created_at`,
    workspaceId,
  );
  return rows.map(toSessionRow);
}

export function findSession(db: Database, id: string): SessionRow | null {
  const [row] = db.read('SELECT * FROM sessions WHERE id = ? AND open = 1', id);
  return row ? toSessionRow(row) : null;
}

/** Those that were closed with something in them, the newest first. */
export function closedSessions(db: Database, workspaceId: string, limit: number): SessionRow[] {
  const rows = db.read(
    `SELECT * FROM sessions WHERE workspace_id = ? AND open = 0 AND visiting = 0 AND parent_id IS NULL
       AND (title IS NOT NULL OR last_turn IS NOT NULL OR usage IS NOT NULL)
       AND id NOT IN (SELECT id FROM deleted_sessions)
       ORDER BY closed_at DESC, last_activity_at DESC LIMIT ?`,
    ...[workspaceId, limit],
  );
  return rows.map(toSessionRow);
}

export function findClosedSession(db: Database, id: string): SessionRow | null {
  const [row] = db.read(
    `SELECT * FROM sessions WHERE id = ? AND open = 0 AND id NOT IN (SELECT id FROM deleted_sessions)`,
    id,
  );
  return row ? toSessionRow(row) : null;
}

/** Puts a closed session back on the list, where it was. What waits in it waits for a person. */
export function reopenSession(db: Database, id: string): Promise<void> {
  return db.write(
    `UPDATE sessions SET open = 1, closed_at = NULL, paused = EXISTS (
       SELECT 1 FROM inputs WHERE session_id = ?1 AND state = 'waiting' AND mode <> 'command') WHERE id = ?1`,
    id,
  );
}

/** Whether something in the session itself must go on without anybody opening it: inputs, asks, a cut turn, a clock, the end of a command. */
export function hasUnfinished(db: Database, id: string): boolean {
  const [row] = db.read<{ n: number }>(
    `SELECT (SELECT count(*) FROM inputs WHERE session_id = ?1 AND state = 'waiting')
          + (SELECT count(*) FROM asks WHERE session_id = ?1 AND state = 'open')
          + (SELECT count(*) FROM sessions WHERE id = ?1 AND (turn_id IS NOT NULL OR clock IS NOT NULL
               OR json_array_length(wakes, '$.commands') > 0)) AS n`,
    id,
  );
  return (row?.n ?? 0) > 0;
}

/** Gives the open sessions of a workspace this order. */
export function orderSessions(db: Database, ids: readonly string[]): Promise<void> {
  return db.write((run) => {
    for (const [at, id] of ids.entries()) run('UPDATE sessions SET position = ? WHERE id = ?', at + 1, id);
  });
}

/** Whether sessions of this workspace, open or closed, have worked anywhere but in the directory or below it. */
export function hasSessionsElsewhere(db: Database, workspaceId: string, dir: string): boolean {
  const below = dir.endsWith('/') ? dir : `${dir}/`;
  const [row] = db.read<{ n: number }>(
    'SELECT count(*) AS n FROM sessions WHERE workspace_id = ?1 AND cwd <> ?2 AND substr(cwd, 1, ?3) <> ?4',
    ...[workspaceId, dir, below.length, below],
  );
  return (row?.n ?? 0) > 0;
}

/** Takes sessions from the list, all of them or none; their files stay, what would wake their agents does not. */
export function closeSessions(db: Database, ids: readonly string[]): Promise<void> {
  const at = new Date().toISOString();
  return db.write((run) => {
    for (const id of ids)
      run('UPDATE sessions SET open = 0, closed_at = ?, clock = NULL, wakes = NULL WHERE id = ?', at, id);
  });
}

export function insertSession(db: Database, row: SessionRow): Promise<void> {
  return db.write(
    `INSERT INTO sessions (id, workspace_id, title, cwd, rollout_path, backend, model, effort, profile,
       created_at, last_activity_at, sandbox, approval, network, parent_id, nickname, position)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
       (SELECT coalesce(max(position), 0) + 1 FROM sessions WHERE workspace_id = ?2))`,
    ...[row.id, row.workspaceId, row.title, row.cwd, row.rolloutPath, row.backend, row.model, row.effort],
    ...[row.profile, row.createdAt, row.lastActivityAt, row.sandbox, row.approval, toSql(row.network)],
    ...[row.parentId, row.nickname],
  );
}

/** Part of a write: changes what is named in the patch. */
export function updateSession(run: Run, id: string, patch: SessionRowPatch): void {
  const entries = Object.entries(patch) as [keyof typeof columns, unknown][];
  const assignments = entries.map(([key]) => `${columns[key]} = ?`).join(', ');
  const values = entries.map(([, value]) => toSql(value));
  run(`UPDATE sessions SET ${assignments} WHERE id = ?`, ...values, id);
}

export function toSessionRow(row: Record<string, unknown>): SessionRow {
  return {
    id: String(row.id),
    workspaceId: String(row.workspace_id),
    title: row.title as string | null,
    cwd: String(row.cwd),
    rolloutPath: String(row.rollout_path),
    backend: String(row.backend),
    model: row.model as string | null,
    effort: row.effort as string | null,
    profile: row.profile as string | null,
    createdAt: String(row.created_at),
    lastActivityAt: String(row.last_activity_at),
    crashes: Number(row.crashes),
    paused: row.paused === 1,
    turnId: row.turn_id as string | null,
    requestSent: row.request_sent === 1,
    canContinue: row.can_continue === 1,
    usage: row.usage ? storedUsage.parse(JSON.parse(String(row.usage))) : null,
    lastTurn: row.last_turn ? lastTurn.parse(JSON.parse(String(row.last_turn))) : null,
    sandbox: own.sandbox.parse(row.sandbox),
    approval: own.approval.parse(row.approval),
    network: row.network === null ? null : row.network === 1,
    clock: row.clock ? clock.parse(JSON.parse(String(row.clock))) : null,
    wakes: row.wakes ? savedWakes.parse(JSON.parse(String(row.wakes))) : null,
    parentId: row.parent_id as string | null,
    nickname: row.nickname as string | null,
  };
}

function toSql(value: unknown): SqlValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return (value ?? null) as SqlValue;
}
