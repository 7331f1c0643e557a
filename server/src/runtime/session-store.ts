/**
 * What one session keeps in the state database: its waiting inputs, asks, drafts and started calls. Conversations
 * are not here: their one truth is the rollout file.
 */
import { type Ask, type AskAnswer, type AskOutcome, ask, askAnswer } from '@tscodex/shared/asks';
import { type Input, input } from '@tscodex/shared/inputs';
import { type Item, knownItem } from '@tscodex/shared/items';
import * as z from 'zod';
import type { Database } from '../base/database.ts';
import { markRecorded } from './recorded-sessions.ts';
import { type SessionRowPatch, updateSession } from './session-rows.ts';

/** An ask with how it ended; `grants` is what "for this session" covers. */
export type AskRow = {
  ask: Ask;
  callId: string;
  grants: string[];
  state: 'open' | AskOutcome;
  answer: AskAnswer | null;
  by: string | null;
  /** When it ended. */
  at: string | null;
};

/** How an ask ended. */
export type AskEnd = Pick<AskRow, 'answer' | 'by'> & { state: AskOutcome; at: string };

const askBody = z.object({ ask, grants: z.array(z.string()) });

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
    return this.db.write((run) => updateSession(run, this.id, patch));
  }

  /** Inputs by state; `seq` orders those that wait. */
  inputs(): { input: Input; state: 'waiting' | 'withdrawn' | 'done' }[] {
    const rows = this.db.read<{ body: string; state: 'waiting' | 'withdrawn' | 'done' }>(
      'SELECT body, state FROM inputs WHERE session_id = ? ORDER BY seq',
      this.id,
    );
    return rows.map(({ body, state }) => ({ input: input.parse(JSON.parse(body)), state }));
  }

  /** Its images are in use from then on, once more each, and the session is no visitor any more. */
  insertInput(added: Input): Promise<void> {
    const seq = this.#nextInput++;
    return this.db.write((run) => {
      run(
        'INSERT INTO inputs (session_id, id, seq, mode, body) VALUES (?, ?, ?, ?, ?)',
        ...[this.id, added.id, seq, added.mode, JSON.stringify(added)],
      );
      run('UPDATE sessions SET visiting = 0 WHERE id = ?', this.id);
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
      markRecorded(run, this.id);
    });
  }

  /** It is about to be given to whoever writes the session's file, which has so many bytes. */
  giving(id: string, bytes: number): Promise<void> {
    return this.db.write(
      'UPDATE inputs SET given_at = ? WHERE session_id = ? AND id = ?',
      ...[bytes, this.id, id],
    );
  }

  /** What was given and may be in the file: nobody was told yet. */
  given(): { id: string; text: string; bytes: number }[] {
    const rows = this.db.read<{ body: string; given_at: number }>(
      "SELECT body, given_at FROM inputs WHERE session_id = ? AND state = 'waiting' AND given_at IS NOT NULL",
      this.id,
    );
    return rows.map(({ body, given_at: bytes }) => {
      const { id, text } = input.parse(JSON.parse(body));
      return { id, text, bytes };
    });
  }

  /**
   * As `deleteInputs`, where another program writes the file: it has no ids, which are known here for the life of the
   * session, and what is in it was given to the agent already.
   */
  keepTaken(ids: readonly string[]): Promise<void> {
    return this.db.write((run) => {
      for (const id of ids)
        run("UPDATE inputs SET state = 'done' WHERE session_id = ? AND id = ?", this.id, id);
      run('UPDATE sessions SET request_sent = 1 WHERE id = ?', this.id);
      markRecorded(run, this.id);
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

  /** The items that have asked and got no answer. */
  unanswered(): Set<string> {
    const rows = this.db.read<{ item: string }>(
      `SELECT body ->> '$.ask.itemId' AS item FROM asks WHERE session_id = ? AND item IS NOT NULL
         GROUP BY item HAVING max(state NOT IN ('open', 'withdrawn')) = 0`,
      this.id,
    );
    return new Set(rows.map(({ item }) => item));
  }

  /** null for one that this session never had. */
  ask(id: string): AskRow | null {
    const [row] = this.db.read<Record<string, string>>(
      'SELECT * FROM asks WHERE session_id = ? AND id = ?',
      ...[this.id, id],
    );
    return row ? toAskRow(row) : null;
  }

  /** The newest asks with which people have allowed something for the rest of the session, oldest first. */
  grantedForSession(limit: number): AskRow[] {
    const rows = this.db.read<Record<string, string>>(
      `SELECT * FROM asks WHERE session_id = ? AND state = 'answered' AND answer ->> 'choice' = 'session'
         AND taken_back_at IS NULL ORDER BY closed_at DESC, rowid DESC LIMIT ?`,
      ...[this.id, limit],
    );
    return rows.map(toAskRow).reverse();
  }

  /** What the answer to an ask has allowed for the rest of the session does not hold any more. */
  takeBackGrant(id: string, by: string | null): Promise<void> {
    return this.db.write(
      'UPDATE asks SET taken_back_at = ?, taken_back_by = ? WHERE session_id = ? AND id = ?',
      ...[new Date().toISOString(), by, this.id, id],
    );
  }

  insertAsk({ ask: opened, callId, grants }: Pick<AskRow, 'ask' | 'callId' | 'grants'>): Promise<void> {
    return this.db.write(
      'INSERT INTO asks (id, session_id, turn_id, call_id, body) VALUES (?, ?, ?, ?, ?)',
      ...[opened.id, this.id, opened.turnId, callId, JSON.stringify({ ask: opened, grants })],
    );
  }

  closeAsk(id: string, { state, answer, by, at }: AskEnd): Promise<void> {
    return this.db.write(
      'UPDATE asks SET state = ?, answer = ?, answered_by = ?, closed_at = ? WHERE id = ?',
      ...[state, answer && JSON.stringify(answer), by, at, id],
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
      updateSession(run, this.id, { ...patch, turnId: null, requestSent: false });
    });
  }
}

function toAskRow(row: Record<string, string>): AskRow {
  return {
    ...askBody.parse(JSON.parse(row.body ?? '')),
    callId: row.call_id ?? '',
    state: row.state as AskRow['state'],
    answer: row.answer ? askAnswer.parse(JSON.parse(row.answer)) : null,
    by: row.answered_by ?? null,
    at: row.closed_at ?? null,
  };
}
