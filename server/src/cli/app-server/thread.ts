/** A thread that is loaded: its session, what the client is told of it, and what the client is asked. */
import type { Ask, AskAnswer } from '@tscodex/shared/asks';
import type { SessionEvent } from '@tscodex/shared/events';
import type { NewInput } from '@tscodex/shared/inputs';
import { Failure } from '../../base/errors.ts';
import { type JsonRpc, RpcRefused } from '../../base/json-rpc.ts';
import type { SessionRuntime } from '../../runtime/runtime.ts';
import { AgentCalls } from '../agent-calls.ts';
import { requestOf } from './client-asks.ts';
import { ThreadNews } from './thread-news.ts';
import { begunTurn, type Turn } from './turn.ts';

export type ThreadPorts = {
  rpc: JsonRpc;
  imagePath(attachmentId: string): string;
  notify(method: string, params: Record<string, unknown>): void;
  fault(what: string, error: unknown): void;
};

type Input = Pick<NewInput, 'id' | 'text' | 'attachments'>;

/** A request to the client that it has not answered. */
type Asked = { requestId: number };

type Said = { taken(turnId: string): void; left(why: Failure): void };

export class Thread {
  readonly #news: ThreadNews;
  readonly #asked = new Map<string, Asked>();
  /** What no turn has taken yet, by the id of our input. */
  readonly #said = new Map<string, Said>();
  readonly #ends = new Set<() => void>();
  /** By the id of our input. */
  readonly #clientIds = new Map<string, string>();
  readonly #detach: () => void;
  #muted = false;

  constructor(
    readonly session: SessionRuntime,
    private readonly ports: ThreadPorts,
  ) {
    const { epoch, state } = session.snapshot();
    const facts = {
      imagePath: ports.imagePath,
      clientId: (inputId: string) => this.#clientIds.get(inputId) ?? null,
      calls: new AgentCalls(session.id),
    };
    this.#news = new ThreadNews(session.id, facts, state.usage?.total.totalTokens);
    this.#detach = session.subscribe(
      {
        snapshot: () => undefined,
        events: (_epoch, events) => {
          for (const event of events) this.#take(event);
        },
        ended: () => undefined,
      },
      { epoch, after: state.seq },
    );
  }

  get id(): string {
    return this.session.id;
  }

  get status() {
    return this.#news.status;
  }

  get turnId(): string | null {
    return this.#news.turnId;
  }

  /**
   * Gives the agent what somebody says. Resolves once a turn takes it: the next, or the running one at its next request.
   * `begun` is told which, where that begins it before anybody else is. Throws what `submit` does, and `thread.closed`.
   */
  async say(input: Input, clientId: string | undefined, begun: (turn: Turn) => void): Promise<void> {
    const taken = this.#takenOf(input.id, (turnId) => begun(begunTurn(turnId, null)));
    await this.#submit(input, clientId);
    await taken;
  }

  /** The turn that takes it: another one where this one has ended meanwhile. Throws where no such turn runs. */
  async steer(input: Input, turnId: string, clientId: string | undefined): Promise<string> {
    this.expectSteerable(turnId);
    const taken = this.#takenOf(input.id, () => undefined);
    await this.#submit(input, clientId);
    return turnId === this.turnId && this.#takes ? turnId : taken;
  }

  /** Throws where no such turn runs, and where it takes nothing. */
  expectSteerable(turnId: string): void {
    this.#expect(turnId, 'steer');
    if (this.session.compacting) throw new Failure('conflict', 'turn.none', 'cannot steer a compact turn');
    if (!this.#takes) throw new Failure('conflict', 'turn.none', 'no active turn to steer');
  }

  /** Throws where no such turn runs. */
  async interrupt(turnId: string): Promise<void> {
    this.#expect(turnId, 'interrupt');
    await this.session.interrupt(null);
  }

  /** Throws where nothing was said, or a turn runs. */
  async compact(): Promise<void> {
    if (this.turnId !== null)
      throw new Failure('conflict', 'session.busy', 'a turn runs: interrupt it, or wait for its end');
    const { items, older } = this.session.snapshot().state;
    if (older === null && !items.some(({ type }) => type === 'userMessage'))
      throw new Failure('conflict', 'compaction.empty', 'there is nothing to sum up yet');
    await this.session.submit({ id: crypto.randomUUID(), text: '/compact', mode: 'steer' }, null);
  }

  get isMuted(): boolean {
    return this.#muted;
  }

  /** Nobody is told of it any more; what it asks waits. */
  mute(): void {
    this.#muted = true;
    for (const { requestId } of this.#asked.values()) this.ports.rpc.forget(requestId);
    this.#asked.clear();
  }

  /** The client is told of it again, and asked what waits. */
  unmute(): void {
    if (!this.#muted) return;
    this.#muted = false;
    for (const ask of this.session.snapshot().state.asks) this.#ask(ask);
  }

  /** Resolves once no turn runs. */
  async idle(): Promise<void> {
    if (this.turnId !== null) await new Promise<void>((resolve) => this.#ends.add(resolve));
  }

  /** Ends what runs; its file keeps all of it. */
  async close(): Promise<void> {
    await this.session.unload('close');
    this.detach();
  }

  /** Its session has left memory. */
  detach(): void {
    this.#detach();
    for (const { left } of this.#said.values())
      left(new Failure('conflict', 'thread.closed', `thread ${this.id} was closed before a turn took this`));
    this.#said.clear();
  }

  async #submit(input: Input, clientId: string | undefined): Promise<void> {
    if (clientId !== undefined) this.#clientIds.set(input.id, clientId);
    try {
      await this.session.submit({ ...input, mode: 'steer', literal: true }, null);
    } catch (error) {
      this.#said.delete(input.id);
      throw error;
    }
  }

  /** Resolves with the turn that takes the input, once `begun` was told. */
  #takenOf(inputId: string, begun: (turnId: string) => void): Promise<string> {
    const taken = new Promise<string>((resolve, reject) =>
      this.#said.set(inputId, {
        taken: (turnId) => {
          begun(turnId);
          resolve(turnId);
        },
        left: reject,
      }),
    );
    taken.catch(() => undefined); // a steer need not wait for it
    return taken;
  }

  #taken(inputId: string, turnId: string): void {
    this.#said.get(inputId)?.taken(turnId);
    this.#said.delete(inputId);
  }

  /** Whether what is said now joins the running turn. */
  get #takes(): boolean {
    return !this.session.compacting && this.session.snapshot().state.status !== 'stopping';
  }

  #expect(turnId: string, what: 'steer' | 'interrupt'): void {
    if (this.turnId === null) throw new Failure('conflict', 'turn.none', `no active turn to ${what}`);
    if (this.turnId === turnId) return;
    const message = `expected active turn id \`${turnId}\` but found \`${this.turnId}\``;
    throw new Failure('conflict', 'turn.other', message);
  }

  #take(event: SessionEvent): void {
    // all that waits is what such a turn begins with
    if (event.type === 'turn.started' && !this.session.compacting)
      for (const { id } of this.session.snapshot().state.waiting) this.#taken(id, event.turn.id);
    if (event.type === 'input.taken' && event.turnId !== null)
      for (const id of event.inputIds) this.#taken(id, event.turnId);
    if (event.type === 'ask.closed') this.#resolved(event.askId);
    for (const { method, params } of this.#news.take(event)) this.#tell(method, params);
    if (event.type === 'ask.opened') this.#ask(event.ask);
    if (event.type !== 'turn.completed') return;
    for (const end of this.#ends) end();
    this.#ends.clear();
  }

  #tell(method: string, params: Record<string, unknown>): void {
    if (!this.#muted) this.ports.notify(method, params);
  }

  #ask(ask: Ask): void {
    if (this.#muted) return;
    const request = requestOf(ask);
    if (!request) {
      const reason = 'The client of this session cannot be asked that.';
      this.#answer(ask, noAnswer(ask, reason));
      return;
    }
    const asked = { requestId: -1 };
    this.#asked.set(ask.id, asked);
    const answered = this.ports.rpc.call(request.method, request.params, (requestId) => {
      asked.requestId = requestId;
    });
    const take = (result: unknown) => {
      if (this.#asked.get(ask.id) === asked) this.#answer(ask, request.answer(result));
    };
    answered.then(take, (error) => {
      // an error is no answer that is known; a client that has gone has given none
      if (error instanceof RpcRefused) take(null);
    });
  }

  #answer(ask: Ask, answer: AskAnswer): void {
    this.session.answer(ask.id, answer, null).catch((error) => {
      if (error instanceof Failure && error.code === 'ask.ended') return;
      this.ports.fault(`take an answer to ${ask.id}`, error);
      // one that cannot be kept, like a rule that is refused, is not to hold the turn up
      const reason = error instanceof Failure ? error.message : undefined;
      void this.session.answer(ask.id, noAnswer(ask, reason), null).catch(() => undefined); // it has ended meanwhile
    });
  }

  /** The client has answered it, or need not any more. */
  #resolved(askId: string): void {
    const asked = this.#asked.get(askId);
    if (!asked) return;
    this.#asked.delete(askId);
    this.ports.rpc.forget(asked.requestId);
    this.#tell('serverRequest/resolved', { threadId: this.id, requestId: asked.requestId });
  }
}

/** What ends an ask to which there is no answer that counts. */
function noAnswer({ kind, questions = [] }: Ask, reason: string | undefined): AskAnswer {
  if (kind === 'question') return { answers: Object.fromEntries(questions.map(({ id }) => [id, ['']])) };
  return { choice: 'decline', ...(reason ? { reason } : {}) };
}
