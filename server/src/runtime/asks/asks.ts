/**
 * The asks of a session. Each is saved before anybody sees it, waits for as long as it takes, survives a restart
 * under its id, and ends exactly once: the first answer that reaches us counts.
 */
import type { Ask, AskAnswer, AskEnding, SessionGrant } from '@tscodex/shared/asks';
import type { EventBody } from '@tscodex/shared/events';
import type { Decision } from '@tscodex/shared/items';
import type { Grants } from '@tscodex/shared/permissions';
import { v7 as uuid } from 'uuid';
import { Failure } from '../../base/errors.ts';
import { withGrants } from '../../tools/grants.ts';
import type { AllowedBy, Asking } from '../../tools/tool.ts';
import type { AskEnd, AskRow, SessionStore } from '../session-store.ts';
import {
  approvalBody,
  checkFits,
  decision,
  ended,
  isForTurn,
  isSameSubject,
  isStop,
  withRule,
} from './ask-answers.ts';
import { KeptGrants, permissionsIn, takenBack } from './kept-grants.ts';

/** What an answer does beyond the call that asked. */
export type AskEffects = {
  /** Allows commands that begin with these words from now on. Throws `rules.prefix` and `rules.write`. */
  addRule(prefix: string[], command: string, by: string | null): Promise<void>;
  /** Ends the running turn. */
  stop(by: string | null): void;
};

export type AskingCall = { turnId: string; callId: string; itemId: string; signal: AbortSignal };

type AskBody = Pick<Ask, 'kind' | 'from' | 'questions' | 'approval' | 'choices'>;

type Waiting = { settle(answer: AskAnswer): void; reject(why: unknown): void };

/** How many endings are remembered for the items that show them. */
const DECISIONS_KEPT = 500;

export class Asks {
  /** Those of the running turn, open or ended; a turn that is over leaves nothing here. */
  readonly #rows = new Map<string, AskRow>();
  readonly #waiting = new Map<string, Waiting>();
  /** Asks whose end is being saved: the next to answer is told that somebody was first. */
  readonly #closing = new Map<string, Promise<void>>();
  /** What was allowed for the rest of the session. */
  readonly #kept: KeptGrants;
  /** By item, oldest first. */
  readonly #decisions = new Map<string, Decision>();

  constructor(
    private readonly sessionId: string,
    private readonly store: Pick<
      SessionStore,
      'asks' | 'ask' | 'grantedForSession' | 'takeBackGrant' | 'insertAsk' | 'closeAsk'
    >,
    private readonly emit: (event: EventBody) => void,
    /** The turn that goes on after a restart. */
    openTurn: string | null,
    private readonly effects: AskEffects,
    private readonly fault: (what: string, error: unknown) => void,
    /** What holds beside what was allowed here: of an agent, what people have allowed where it was started. */
    private readonly inherited: () => KeptGrants | null = () => null,
  ) {
    this.#kept = new KeptGrants(store);
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

  /** Whether the item has asked, and nobody has answered yet. */
  isUnanswered(itemId: string): boolean {
    const rows = [...this.#rows.values()].filter(({ ask }) => ask.itemId === itemId);
    return rows.length > 0 && rows.every(({ state }) => state === 'open');
  }

  /** Who has allowed it for the session or, of what is no single call's, for the running turn. */
  allowedBy(key: string): AllowedBy | null {
    const kept = this.#kept.allowedBy(key) ?? this.inherited()?.allowedBy(key);
    if (kept) return { how: 'session', ...kept };
    const row = [...this.#rows.values()].findLast((one) => isForTurn(one) && one.grants.includes(key));
    return row ? { how: 'turn', by: row.by } : null;
  }

  /** What people have allowed beyond the sandbox, for all commands of the running turn or of the session. */
  allowed(): Grants {
    const ofTurn = [...this.#rows.values()].filter(isForTurn);
    return ofTurn.reduce((all, row) => withGrants(all, permissionsIn(row)), this.allowedForSession());
  }

  /** Of these, what holds for the rest of the session. */
  allowedForSession(): Grants {
    return withGrants(this.inherited()?.permissions() ?? {}, this.#kept.permissions());
  }

  /** What was allowed for the rest of the session, the newest first. */
  kept(): SessionGrant[] {
    return this.#kept.list();
  }

  /** How many that are, for the session's state. */
  tellKept(): void {
    this.emit({ type: 'session.updated', patch: { grantCount: this.#kept.count } });
  }

  /** Takes one back, from the next call on. Throws `grant.unknown`. */
  async takeBack(id: string, by: string | null): Promise<void> {
    const grant = await this.#kept.takeBack(id, by);
    this.tellKept();
    this.emit({ type: 'item.completed', item: takenBack(grant, by) });
  }

  /**
   * How one call reaches a person. A call asks at most once; after a restart it finds what it asked before. Rejects with
   * the reason of its signal, and with `ask.ended` where it was withdrawn meanwhile.
   */
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
      form: async (from, questions) => {
        const answer = await this.#ask(call, { kind: 'question', from, questions }, []);
        if ('answers' in answer) return answer;
        return { refuse: 'refuse' in answer ? answer.refuse : 'cancel' };
      },
    };
  }

  /**
   * Resolves once saved. Throws `ask.unknown`, `ask.ended` (details: outcome, by), `ask.answer` (does not fit), and
   * what a rule is refused for; the ask is then as it was.
   */
  async answer(askId: string, given: AskAnswer, by: string | null): Promise<void> {
    const row = this.#row(askId);
    checkFits(row.ask, given);
    const answer = withRule(row.ask, given);
    // who was first counts, unless it could not be saved
    while (this.#closing.has(askId)) await this.#closing.get(askId)?.catch(() => undefined);
    if (row.state !== 'open') throw ended(row);
    const end: AskEnd = { state: 'answered', answer, by, at: new Date().toISOString() };
    await this.#save(row, end);
    this.#close(row, end);
    this.#waiting.get(askId)?.settle(answer);
    // after the call has heard of it: it was declined, not cut
    if (isStop(answer)) this.effects.stop(by);
  }

  /** How an ask has ended. Throws `ask.unknown`. */
  ending(askId: string): AskEnding {
    const { state, by, answer } = this.#row(askId);
    return { outcome: state === 'open' ? null : state, by, ...(answer ? { answer } : {}) };
  }

  #row(askId: string): AskRow {
    const row = this.#rows.get(askId) ?? this.store.ask(askId);
    if (row) return row;
    throw new Failure('notFound', 'ask.unknown', `There is no question ${askId} in this session.`);
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

  async #ask(call: AskingCall, body: AskBody, grants: string[]): Promise<AskAnswer> {
    const known = [...this.#rows.values()].findLast(
      ({ ask, callId, state }) =>
        ask.turnId === call.turnId && callId === call.callId && state !== 'withdrawn',
    );
    const same = known && isSameSubject(known.ask, body);
    // what is to be done has become another since, and nobody has said anything about that
    if (known && !same) await this.#withdraw(known);
    const row = same ? known : await this.#open(call, body, grants);
    if (row.answer && isStop(row.answer)) this.effects.stop(row.by);
    if (row.answer) return row.answer;
    return this.#wait(row, call.signal);
  }

  async #open({ turnId, callId, itemId }: AskingCall, body: AskBody, grants: string[]): Promise<AskRow> {
    const openedAt = new Date().toISOString();
    const ask: Ask = { id: uuid(), sessionId: this.sessionId, turnId, itemId, openedAt, ...body };
    const row: AskRow = { ask, callId, grants, state: 'open', answer: null, by: null, at: null };
    await this.store.insertAsk(row);
    this.#rows.set(ask.id, row);
    this.emit({ type: 'ask.opened', ask });
    return row;
  }

  #wait(row: AskRow, signal: AbortSignal): Promise<AskAnswer> {
    const { id } = row.ask;
    const over = new AbortController();
    return new Promise<AskAnswer>((settle, reject) => {
      signal.throwIfAborted();
      signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal });
      this.#waiting.set(id, { settle, reject });
    }).finally(() => {
      over.abort();
      this.#waiting.delete(id);
    });
  }

  /** Also where the disk refuses to keep it: whoever loads the session again withdraws it then. */
  async #withdraw(row: AskRow): Promise<void> {
    while (this.#closing.has(row.ask.id)) await this.#closing.get(row.ask.id)?.catch(() => undefined);
    if (row.state !== 'open') return;
    const end: AskEnd = { state: 'withdrawn', answer: null, by: null, at: new Date().toISOString() };
    await this.#save(row, end).catch((error) => this.fault('withdraw an ask', error));
    this.#close(row, end);
    this.#waiting.get(row.ask.id)?.reject(ended(row));
  }

  async #save({ ask }: AskRow, end: AskEnd): Promise<void> {
    const saving = this.#addRule(ask, end).then(() => this.store.closeAsk(ask.id, end));
    this.#closing.set(ask.id, saving);
    try {
      await saving;
    } finally {
      this.#closing.delete(ask.id);
    }
  }

  /** Before the ask ends: a rule that is refused leaves it open. */
  async #addRule({ approval }: Ask, { answer, by }: AskEnd): Promise<void> {
    if (!answer || !('choice' in answer) || answer.choice !== 'rule' || !answer.rule) return;
    await this.effects.addRule(answer.rule, approval?.command ?? '', by);
  }

  #close(row: AskRow, end: AskEnd): void {
    Object.assign(row, end);
    this.#remember(row);
    const { state: outcome, answer, by } = end;
    const keeps = answer !== null && 'choice' in answer && answer.choice === 'session';
    if (keeps) this.#kept.add(row);
    this.emit({ type: 'ask.closed', askId: row.ask.id, outcome, by, ...(answer ? { answer } : {}) });
    if (keeps) this.tellKept();
  }

  #remember({ ask, state, answer, by }: AskRow): void {
    const { choice, reason, rule } = answer && 'choice' in answer ? answer : {};
    if (ask.itemId === undefined || state === 'open') return;
    this.#decisions.set(ask.itemId, {
      ...{ outcome: state, by },
      ...(choice ? { choice } : {}),
      ...(reason ? { reason } : {}),
      ...(rule ? { rule } : {}),
    });
    const [oldest] = this.#decisions.keys();
    if (this.#decisions.size > DECISIONS_KEPT && oldest !== undefined) this.#decisions.delete(oldest);
  }
}
