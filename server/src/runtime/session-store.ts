/** What a session keeps in the state database. Conversations are not here: their one truth is the rollout file. */
import { type Ask, type AskAnswer, type AskOutcome, ask, askAnswer } from '@tscodex/shared/asks';
import { type Usage, usage } from '@tscodex/shared/events';
import { type Input, input } from '@tscodex/shared/inputs';
import { type Item, knownItem } from '@tscodex/shared/items';
import { type SessionSummary, sessionSummary } from '@tscodex/shared/workspace';
import * as z from 'zod';
import type { Database, Run, SqlValue } from '../base/database.ts';

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
  usage: StoredUsage | null;
  /** How the newest turn that has ended did so. */
  lastTurn: SessionSummary['lastTurn'];
};

export type StoredUsage = { last: Usage; total: Usage };

/** An ask with how it ended; `grants` is what "for this session" covers. */
export type AskRow = {
  ask: Ask;
  callId: string;
  grants: string[];
  state: 'open' | AskOutcome;
  answer: AskAnswer | null;
  by: string | null;
};

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
  usage: 'usage',
  lastTurn: 'last_turn',
} as const;
export type SessionRowPatch = Partial<Pick<SessionRow, keyof typeof columns>>;

const lastTurn = sessionSummary.shape.lastTurn;
const storedUsage = z.object({ last: usage, total: usage });
const askBody = z.object({ ask, grants: z.array(z.string()) });

/** The open sessions of a workspace, in the order of their tabs. */
export function openSessions(db: Database, workspaceId: string): SessionRow[] {
  const rows = db.read(
    'SELECT * FROM sessions WHERE workspace_id = ? AND open = 1 ORDER BY position, created_at',
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
    `SELECT * FROM sessions WHERE workspace_id = ? AND open = 0
       AND (title IS NOT NULL OR last_turn IS NOT NULL OR usage IS NOT NULL)
       ORDER BY closed_at DESC, last_activity_at DESC LIMIT ?`,
    ...[workspaceId, limit],
  );
  return rows.map(toSessionRow);
}

export function findClosedSession(db: Database, id: string): SessionRow | null {
  const [row] = db.read('SELECT * FROM sessions WHERE id = ? AND open = 0', id);
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

/** Whether something in the session must go on without anybody opening it: inputs, asks, a turn that was cut. */
export function hasUnfinished(db: Database, id: string): boolean {
  const [row] = db.read<{ n: number }>(
    `SELECT (SELECT count(*) FROM inputs WHERE session_id = ?1 AND state = 'waiting')
          + (SELECT count(*) FROM asks WHERE session_id = ?1 AND state = 'open')
          + (SELECT count(*) FROM sessions WHERE id = ?1 AND turn_id IS NOT NULL) AS n`,
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

/** Takes sessions from the list, all of them or none; their files stay. */
export function closeSessions(db: Database, ids: readonly string[]): Promise<void> {
  const at = new Date().toISOString();
  return db.write((run) => {
    for (const id of ids) run('UPDATE sessions SET open = 0, closed_at = ? WHERE id = ?', at, id);
  });
}

export function insertSession(db: Database, row: SessionRow): Promise<void> {
  return db.write(
    `INSERT INTO sessions (id, workspace_id, title, cwd, rollout_path, backend, model, effort, profile,
       created_at, last_activity_at, position)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
       (SELECT coalesce(max(position), 0) + 1 FROM sessions WHERE workspace_id = ?2))`,
    ...[row.id, row.workspaceId, row.title, row.cwd, row.rolloutPath, row.backend, row.model, row.effort],
    ...[row.profile, row.createdAt, row.lastActivityAt],
  );
}

export class SessionStore {
  #nextInput = 1;

  constructor(
    private readonly db: Database,
    private readonly id: string,
  ) {
    const [row] = db.read<{ last: number | null }>(
      'SELECT max(seq) AS last FROM inputs WHERE session_id = ?',
      id,
    );
    this.#nextInput = (row?.last ?? 0) + 1;
  }

  update(patch: SessionRowPatch): Promise<void> {
    return this.db.write((run) => this.#update(run, patch));
  }

  /** Inputs by state; `seq` orders those that wait. */
  inputs(): { input: Input; state: 'waiting' | 'withdrawn' | 'done' }[] {
    const rows = this.db.read<{ body: string; state: 'waiting' | 'withdrawn' | 'done' }>(
      'SELECT body, state FROM inputs WHERE session_id = ? ORDER BY seq',
      this.id,
    );
    return rows.map(({ body, state }) => ({ input: input.parse(JSON.parse(body)), state }));
  }

  /** Its images are in use from then on, once more each. */
  insertInput(added: Input): Promise<void> {
    const seq = this.#nextInput++;
    return this.db.write((run) => {
      run(
        'INSERT INTO inputs (session_id, id, seq, mode, body) VALUES (?, ?, ?, ?, ?)',
        ...[this.id, added.id, seq, added.mode, JSON.stringify(added)],
      );
      for (const { id } of added.attachments) run('UPDATE attachments SET used = used + 1 WHERE id = ?', id);
    });
  }

  /** Saves texts and order of what waits. */
  saveWaiting(waiting: readonly Input[]): Promise<void> {
    return this.db.write((run) => {
      for (const one of waiting)
        run(
          'UPDATE inputs SET seq = ?, body = ? WHERE session_id = ? AND id = ?',
          ...[this.#nextInput++, JSON.stringify(one), this.id, one.id],
        );
    });
  }

  /** A command was run. */
  endInput(id: string): Promise<void> {
    return this.db.write(
      "UPDATE inputs SET state = 'done' WHERE session_id = ? AND id = ?",
      ...[this.id, id],
    );
  }

  /** Its images may be sent again; those that nothing else uses go after a while. */
  withdrawInput({ id, attachments }: Input): Promise<void> {
    return this.db.write((run) => {
      run("UPDATE inputs SET state = 'withdrawn' WHERE session_id = ? AND id = ?", this.id, id);
      for (const image of attachments)
        run(
          'UPDATE attachments SET used = max(used - 1, 0), created_at = ? WHERE id = ?',
          ...[new Date().toISOString(), image.id],
        );
    });
  }

  /** Their place is the rollout file now. A request that carries them is yet to go out. */
  deleteInputs(ids: readonly string[]): Promise<void> {
    return this.db.write((run) => {
      for (const id of ids) run('DELETE FROM inputs WHERE session_id = ? AND id = ?', this.id, id);
      run('UPDATE sessions SET request_sent = 0 WHERE id = ?', this.id);
    });
  }

  /** The asks that are open, and all of one turn; oldest first. */
  asks(turnId: string | null): AskRow[] {
    const rows = this.db.read<Record<string, string>>(
      "SELECT * FROM asks WHERE session_id = ? AND (state = 'open' OR turn_id = ?) ORDER BY rowid",
      ...[this.id, turnId],
    );
    return rows.map(toAskRow);
  }

  /** null for one that this session never had. */
  ask(id: string): AskRow | null {
    const [row] = this.db.read<Record<string, string>>(
      'SELECT * FROM asks WHERE session_id = ? AND id = ?',
      ...[this.id, id],
    );
    return row ? toAskRow(row) : null;
  }

  /** What people have allowed for the rest of the session. */
  grants(): string[] {
    const rows = this.db.read<Record<string, string>>(
      "SELECT * FROM asks WHERE session_id = ? AND state = 'answered' AND answer ->> 'choice' = 'session'",
      this.id,
    );
    return rows.flatMap((row) => toAskRow(row).grants);
  }

  insertAsk({ ask: opened, callId, grants }: Pick<AskRow, 'ask' | 'callId' | 'grants'>): Promise<void> {
    return this.db.write(
      'INSERT INTO asks (id, session_id, turn_id, call_id, body) VALUES (?, ?, ?, ?, ?)',
      ...[opened.id, this.id, opened.turnId, callId, JSON.stringify({ ask: opened, grants })],
    );
  }

  closeAsk(id: string, outcome: AskOutcome, answer: AskAnswer | null, by: string | null): Promise<void> {
    return this.db.write(
      'UPDATE asks SET state = ?, answer = ?, answered_by = ?, closed_at = ? WHERE id = ?',
      ...[outcome, answer && JSON.stringify(answer), by, new Date().toISOString(), id],
    );
  }

  /** Messages of the running turn that were streaming when they were last saved. */
  drafts(): Item[] {
    const rows = this.db.read<{ body: string }>(
      'SELECT body FROM drafts WHERE session_id = ? ORDER BY rowid',
      this.id,
    );
    return rows.map(({ body }) => knownItem.parse(JSON.parse(body)));
  }

  saveDrafts(items: readonly Item[]): Promise<void> {
    return this.db.write((run) => {
      for (const item of items)
        run(
          'INSERT OR REPLACE INTO drafts (session_id, item_id, body) VALUES (?, ?, ?)',
          ...[this.id, item.id, JSON.stringify(item)],
        );
    });
  }

  startCall(turnId: string, callId: string): Promise<void> {
    return this.db.write(
      'INSERT OR IGNORE INTO started_calls (session_id, turn_id, call_id) VALUES (?, ?, ?)',
      ...[this.id, turnId, callId],
    );
  }

  startedCalls(turnId: string): Set<string> {
    const rows = this.db.read<{ call_id: string }>(
      'SELECT call_id FROM started_calls WHERE session_id = ? AND turn_id = ?',
      ...[this.id, turnId],
    );
    return new Set(rows.map((row) => row.call_id));
  }

  /** The turn is over: what was kept for a restart within it goes. */
  endTurn(patch: SessionRowPatch): Promise<void> {
    return this.db.write((run) => {
      run('DELETE FROM started_calls WHERE session_id = ?', this.id);
      run('DELETE FROM drafts WHERE session_id = ?', this.id);
      this.#update(run, { ...patch, turnId: null, requestSent: false });
    });
  }

  #update(run: Run, patch: SessionRowPatch): void {
    const entries = Object.entries(patch) as [keyof typeof columns, unknown][];
    const assignments = entries.map(([key]) => `${columns[key]} = ?`).join(', ');
    const values = entries.map(([, value]) => toSql(value));
    run(`UPDATE sessions SET ${assignments} WHERE id = ?`, ...values, this.id);
  }
}

function toAskRow(row: Record<string, string>): AskRow {
  return {
    ...askBody.parse(JSON.parse(row.body ?? '')),
    callId: row.call_id ?? '',
    state: row.state as AskRow['state'],
    answer: row.answer ? askAnswer.parse(JSON.parse(row.answer)) : null,
    by: row.answered_by ?? null,
  };
}

function toSessionRow(row: Record<string, unknown>): SessionRow {
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
  };
}

function toSql(value: unknown): SqlValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return (value ?? null) as SqlValue;
}
