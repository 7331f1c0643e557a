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

type Waiting = { settle(answer: AskAnswer): void };

/** How many endings are remembered for the items that show them. */
const DECISIONS_KEPT = 500;

export class Asks {
  /** Those of the running turn, open or ended; a turn that is over leaves nothing here. */
  readonly #rows = new Map<string, AskRow>();
  readonly #waiting = new Map<string, Waiting>();
  /** Asks whose end is being saved: the next to answer is told that somebody was first. */
  readonly #closing = new Map<string, Promise<void>>();
  readonly #grants: Set<string>;
  /** By item, oldest first. */
  readonly #decisions = new Map<string, Decision>();

  constructor(
    private readonly sessionId: string,
    private readonly store: Pick<SessionStore, 'asks' | 'ask' | 'grants' | 'insertAsk' | 'closeAsk'>,
    private readonly emit: (event: EventBody) => void,
    /** The turn that goes on after a restart. */
    openTurn: string | null,
    private readonly fault: (what: string, error: unknown) => void,
  ) {
    this.#grants = new Set(store.grants());
    for (const row of store.asks(openTurn)) {
      this.#rows.set(row.ask.id, row);
      if (row.state !== 'open') this.#remember(row);
    }
  }

  /** Those that still wait, oldest first. */
  open(): Ask[] {
    return [...this.#rows.values()].filter((row) => row.state === 'open').map((row) => row.ask);
  }

  /** How the ask that an item shows has ended; undefined while it has not, or where there was none. */
  decision(itemId: string): Decision | undefined {
    return this.#decisions.get(itemId);
  }

  granted(key: string): boolean {
    return this.#grants.has(key);
  }

  /** How one call reaches a person. A call asks at most once; after a restart it finds what it asked before. */
  asking(call: AskingCall): Asking {
    return {
      approve: async (approval, grants) => {
        const answer = await this.#ask(call, approvalBody(approval, grants), [...grants]);
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
    const row = this.#rows.get(askId) ?? this.store.ask(askId);
    if (!row) throw new Failure('notFound', 'ask.unknown', `There is no question ${askId} in this session.`);
    checkFits(row.ask, answer);
    // who was first counts, unless it could not be saved
    while (this.#closing.has(askId)) await this.#closing.get(askId)?.catch(() => undefined);
    if (row.state !== 'open') throw ended(row);
    await this.#save(row, 'answered', answer, by);
    this.#close(row, 'answered', answer, by);
    this.#waiting.get(askId)?.settle(answer);
  }

  /** A call has its output: what it still asks is moot. */
  async settled(callId: string): Promise<void> {
    for (const row of this.#rows.values()) if (row.callId === callId) await this.#withdraw(row);
  }

  /** A turn is over: nothing of it waits any more. */
  async endTurn(turnId: string): Promise<void> {
    for (const row of [...this.#rows.values()]) {
      if (row.ask.turnId !== turnId) continue;
      await this.#withdraw(row);
      this.#rows.delete(row.ask.id);
    }
  }

  async #ask(
    call: AskingCall,
    body: Pick<Ask, 'kind' | 'questions' | 'approval' | 'choices'>,
    grants: string[],
  ): Promise<AskAnswer> {
    const known = [...this.#rows.values()].find(
      (row) => row.ask.turnId === call.turnId && row.callId === call.callId,
    );
    const row = known ?? (await this.#open(call, body, grants));
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
      this.#waiting.set(id, { settle });
    }).finally(() => this.#waiting.delete(id));
  }

  /** Also where the disk refuses to keep it: whoever loads the session again withdraws it then. */
  async #withdraw(row: AskRow): Promise<void> {
    while (this.#closing.has(row.ask.id)) await this.#closing.get(row.ask.id)?.catch(() => undefined);
    if (row.state !== 'open') return;
    await this.#save(row, 'withdrawn', null, null).catch((error) => this.fault('withdraw an ask', error));
    this.#close(row, 'withdrawn', null, null);
  }

  async #save(
    { ask }: AskRow,
    outcome: AskOutcome,
    answer: AskAnswer | null,
    by: string | null,
  ): Promise<void> {
    const saving = this.store.closeAsk(ask.id, outcome, answer, by);
    this.#closing.set(ask.id, saving);
    try {
      await saving;
    } finally {
      this.#closing.delete(ask.id);
    }
  }

  #close(row: AskRow, outcome: AskOutcome, answer: AskAnswer | null, by: string | null): void {
    Object.assign(row, { state: outcome, answer, by });
    this.#remember(row);
    this.emit({ type: 'ask.closed', askId: row.ask.id, outcome, by, ...(answer ? { answer } : {}) });
  }

  #remember({ ask, state, answer, grants, by }: AskRow): void {
    const { choice, reason } = answer && 'choice' in answer ? answer : {};
    if (choice === 'session') for (const grant of grants) this.#grants.add(grant);
    if (ask.itemId === undefined || state === 'open') return;
    this.#decisions.set(ask.itemId, {
      ...{ outcome: state, by },
      ...(choice ? { choice } : {}),
      ...(reason ? { reason } : {}),
    });
    const [oldest] = this.#decisions.keys();
    if (this.#decisions.size > DECISIONS_KEPT && oldest !== undefined) this.#decisions.delete(oldest);
  }
}

/** What cannot be granted for the session is not offered so. */
function approvalBody(
  approval: Approval,
  grants: readonly string[],
): Pick<Ask, 'kind' | 'approval' | 'choices'> {
  const choices = APPROVAL_CHOICES.filter(({ id }) => id !== 'session' || grants.length > 0);
  return { kind: 'approval', approval, choices };
}

function decision(answer: AskAnswer): ApprovalDecision {
  if (!('choice' in answer)) return { allowed: false };
  const { choice } = answer;
  if (choice !== 'decline' && choice !== 'stop') return { allowed: true, scope: choice };
  return { allowed: false, ...(answer.reason ? { reason: answer.reason } : {}) };
}

function ended({ ask, state, by, answer }: AskRow): Failure {
  const who = by ? ` by ${by}` : '';
  return new Failure('conflict', 'ask.ended', `This was already ${state}${who}.`, {
    details: { askId: ask.id, outcome: state, by, answer },
  });
}

function checkFits({ kind, questions = [], choices = [] }: Ask, answer: AskAnswer): void {
  if (kind === 'approval' && 'choice' in answer && choices.some(({ id }) => id === answer.choice)) return;
  if (kind === 'question' && 'answers' in answer) {
    const given = new Map(Object.entries(answer.answers));
    const missing = questions.find((question: Question) => !given.get(question.id)?.length);
    if (!missing) return;
    throw new Failure('invalid', 'ask.answer', `The question "${missing.header}" has no answer yet.`);
  }
  throw new Failure('invalid', 'ask.answer', `This ${kind} takes another kind of answer.`);
}
