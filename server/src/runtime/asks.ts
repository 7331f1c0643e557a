/**
 * The asks of a session. Each is saved before anybody sees it, waits for as long as it takes, survives a restart
 * under its id, and ends exactly once: the first answer that reaches us counts.
 */
import type { Approval, Ask, AskAnswer, AskOutcome, Question } from '@tscodex/shared/asks';
import type { EventBody } from '@tscodex/shared/events';
import type { Decision } from '@tscodex/shared/items';
import { v7 as uuid } from 'uuid';
import { Failure } from '../base/errors.ts';
import type { ApprovalDecision, Asking } from '../tools/tool.ts';
import type { AskRow, SessionStore } from './session-store.ts';

const APPROVAL_CHOICES = [
  { id: 'once' as const, label: 'Allow once' },
  { id: 'session' as const, label: 'Allow for this session' },
  { id: 'decline' as const, label: 'Decline' },
];

export type AskingCall = { turnId: string; callId: string; itemId: string; signal: AbortSignal };

type Waiting = { row: AskRow; settle(answer: AskAnswer): void };

export class Asks {
  readonly #rows = new Map<string, AskRow>();
  readonly #waiting = new Map<string, Waiting>();
  /** Asks whose end is being saved: the next to answer is told that somebody was first. */
  readonly #closing = new Map<string, Promise<void>>();
  readonly #grants = new Set<string>();

  constructor(
    private readonly sessionId: string,
    private readonly store: Pick<SessionStore, 'asks' | 'insertAsk' | 'closeAsk'>,
    private readonly emit: (event: EventBody) => void,
  ) {
    for (const row of store.asks()) {
      this.#rows.set(row.ask.id, row);
      this.#remember(row);
    }
  }

  /** Those that still wait, oldest first. */
  open(): Ask[] {
    return [...this.#rows.values()].filter((row) => row.state === 'open').map((row) => row.ask);
  }

  /** The ask a call of this turn has opened, if it has. */
  of(turnId: string, callId: string): AskRow | undefined {
    return [...this.#rows.values()].find((row) => row.ask.turnId === turnId && row.callId === callId);
  }

  /** How the ask that an item shows has ended; undefined while it has not, or where there was none. */
  decision(itemId: string): Decision | undefined {
    const row = [...this.#rows.values()].findLast(({ ask }) => ask.itemId === itemId);
    if (!row || row.state === 'open') return undefined;
    const choice = row.answer && 'choice' in row.answer ? { choice: row.answer.choice } : {};
    return { outcome: row.state, ...choice, by: row.by };
  }

  granted(key: string): boolean {
    return this.#grants.has(key);
  }

  /** How one call reaches a person. A call asks at most once; after a restart it finds what it asked before. */
  asking(call: AskingCall): Asking {
    return {
      approve: async (approval, grants) => {
        const answer = await this.#ask(call, approvalBody(approval), [...grants]);
        return decision(answer);
      },
      question: async (questions) => {
        const answer = await this.#ask(call, { kind: 'question', questions }, []);
        return 'answers' in answer ? answer.answers : {};
      },
    };
  }

  /** Resolves once saved. Throws `ask.unknown`, `ask.ended` (details: outcome, by), `ask.answer` (does not fit). */
  async answer(askId: string, answer: AskAnswer, by: string | null): Promise<void> {
    const row = this.#rows.get(askId);
    if (!row) throw new Failure('notFound', 'ask.unknown', `There is no question ${askId} in this session.`);
    checkFits(row.ask, answer);
    const closing = this.#closing.get(askId);
    if (closing) await closing.catch(() => undefined);
    if (row.state !== 'open') throw ended(row);
    await this.#close(row, 'answered', answer, by);
    this.#waiting.get(askId)?.settle(answer);
  }

  /** Ends what a turn has left open. */
  async withdraw(turnId: string): Promise<void> {
    for (const row of this.#rows.values()) {
      if (row.ask.turnId !== turnId || row.state !== 'open') continue;
      await this.#closing.get(row.ask.id)?.catch(() => undefined);
      if (row.state === 'open') await this.#close(row, 'withdrawn', null, null);
    }
  }

  async #ask(
    call: AskingCall,
    body: Pick<Ask, 'kind' | 'questions' | 'approval' | 'choices'>,
    grants: string[],
  ): Promise<AskAnswer> {
    const row = this.of(call.turnId, call.callId) ?? (await this.#open(call, body, grants));
    if (row.answer) return row.answer;
    return this.#wait(row, call.signal);
  }

  async #open(
    { turnId, callId, itemId }: AskingCall,
    body: Pick<Ask, 'kind' | 'questions' | 'approval' | 'choices'>,
    grants: string[],
  ): Promise<AskRow> {
    const openedAt = new Date().toISOString();
    const ask: Ask = { id: uuid(), sessionId: this.sessionId, turnId, itemId, openedAt, ...body };
    const row: AskRow = { ask, callId, grants, state: 'open', answer: null, by: null };
    await this.store.insertAsk(row);
    this.#rows.set(ask.id, row);
    this.emit({ type: 'ask.opened', ask });
    return row;
  }

  #wait(row: AskRow, signal: AbortSignal): Promise<AskAnswer> {
    const { id } = row.ask;
    return new Promise<AskAnswer>((resolve, reject) => {
      const abort = () => reject(signal.reason);
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      const settle = (answer: AskAnswer) => {
        signal.removeEventListener('abort', abort);
        resolve(answer);
      };
      this.#waiting.set(id, { row, settle });
    }).finally(() => this.#waiting.delete(id));
  }

  async #close(row: AskRow, outcome: AskOutcome, answer: AskAnswer | null, by: string | null): Promise<void> {
    const { id } = row.ask;
    const saving = this.store.closeAsk(id, outcome, answer, by);
    this.#closing.set(id, saving);
    try {
      await saving;
    } finally {
      this.#closing.delete(id);
    }
    Object.assign(row, { state: outcome, answer, by });
    this.#remember(row);
    this.emit({ type: 'ask.closed', askId: id, outcome, by, ...(answer ? { answer } : {}) });
  }

  #remember({ answer, grants }: AskRow): void {
    if (answer && 'choice' in answer && answer.choice === 'session')
      for (const grant of grants) this.#grants.add(grant);
  }
}

function approvalBody(approval: Approval): Pick<Ask, 'kind' | 'approval' | 'choices'> {
  return { kind: 'approval', approval, choices: APPROVAL_CHOICES };
}

function decision(answer: AskAnswer): ApprovalDecision {
  if (!('choice' in answer)) return { allowed: false };
  if (answer.choice !== 'decline') return { allowed: true, scope: answer.choice };
  return { allowed: false, ...(answer.reason ? { reason: answer.reason } : {}) };
}

function ended({ ask, state, by, answer }: AskRow): Failure {
  const who = by ? ` by ${by}` : '';
  return new Failure('conflict', 'ask.ended', `This was already ${state}${who}.`, {
    details: { askId: ask.id, outcome: state, by, answer },
  });
}

function checkFits({ kind, questions = [] }: Ask, answer: AskAnswer): void {
  if (kind === 'approval' && 'choice' in answer) return;
  if (kind === 'question' && 'answers' in answer) {
    const missing = questions.find((question: Question) => !answer.answers[question.id]?.length);
    if (!missing) return;
    throw new Failure('invalid', 'ask.answer', `The question "${missing.header}" has no answer yet.`);
  }
  throw new Failure('invalid', 'ask.answer', `This ${kind} takes another kind of answer.`);
}
