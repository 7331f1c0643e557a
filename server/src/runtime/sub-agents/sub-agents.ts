/**
 * The agents that a session's agent has started. Each is a session of its own, watched from here as by any viewer:
 * what becomes of it is shown in this conversation, told to whoever waits for it, and wakes this agent when it is idle.
 * Long, because it is their one stateful owner: each tool of the agent is a method of it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AskBrief } from '@tscodex/shared/asks';
import type { AgentSummary, EventBody, SessionEvent, Usage } from '@tscodex/shared/events';
import type { Item, SubAgent } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import { v7 as uuid } from 'uuid';
import { Failure, messageOf } from '../../base/errors.ts';
import { minus, NO_USAGE } from '../../session/usage-tally.ts';
import {
  type AgentStanding,
  type Agents,
  type AgentWait,
  isFinal,
  type SpawnedAgent,
} from '../../tools/agents.ts';
import type { Wakes } from '../background/wakes.ts';
import type { Session } from '../session-directory.ts';
import type { AgentEnd } from './agent-end.ts';
import { type Family, ONE_SHOT } from './family.ts';
import { forkedHistory } from './forked-history.ts';
import { nickname } from './nicknames.ts';
import { agentItem, type Stand, shown, standOf, statusOf } from './standing.ts';
import { fromRow, SHUTDOWN, UNTOUCHED, type Watched, watched } from './watched.ts';

type Ports = {
  family: Family;
  /** Agents that may be open at a time. */
  most: number;
  state(): Pick<SessionState, 'items' | 'model' | 'effort'>;
  wakes: Pick<Wakes, 'agentEnded'>;
  /** What they use is this session's expense: it is in its total, and in that of the turn that runs meanwhile. */
  used(usage: Usage, model: string): void;
  emit(event: EventBody): void;
  /** What waits for people may have changed. */
  changed(): void;
  fault(what: string, error: unknown): void;
};

/** What may change how an agent stands. */
const TELLING: ReadonlySet<SessionEvent['type']> = new Set([
  ...(['turn.started', 'turn.completed', 'session.updated', 'input.accepted', 'input.changed'] as const),
  // of the last: what its own agents ask
  ...(['input.taken', 'ask.opened', 'ask.closed', 'agents.updated'] as const),
]);

/** Behind the name of one. */
const IS_CODEX = ' (Codex)';

export class SubAgents implements Agents {
  /** Oldest first. */
  readonly #agents = new Map<string, Watched>();
  readonly #listeners = new Set<() => void>();
  /** Those from before a restart are watched once this resolves. */
  #ready: Promise<unknown> = Promise.resolve();
  #starting = false;
  #left = false;

  constructor(private readonly ports: Ports) {
    for (const row of ports.family.agents()) this.#agents.set(row.id, fromRow(row));
  }

  /** Finds those again that were there before a restart. */
  start(): void {
    this.#starting = true;
    this.#ready = Promise.all(this.#open().map((agent) => this.#find(agent))).then(() => {
      this.#starting = false;
      for (const agent of this.#agents.values()) this.#showItem(agent);
      if (this.#open().length > 0) this.#tell();
    });
  }

  /** Whether one works, and will wake this agent. */
  get working(): boolean {
    return this.#open().some(({ stand }) => stand.standing === 'running');
  }

  /** What they ask people. */
  asks(): AskBrief[] {
    return this.#open().flatMap(({ id, nickname, asks }) =>
      asks.map((ask) => ({ ...ask, agent: ask.agent ?? { id, nickname } })),
    );
  }

  async spawn(
    { prompt, codex, history, model, effort }: SpawnedAgent,
    call: { itemId: string; turnId: string },
  ) {
    const { family, state, emit } = this.ports;
    await this.#ready;
    this.#checkRoom();
    const now = codex ? { model: null, effort: null } : state();
    const taken = [...this.#agents.values()].map((one) => one.nickname.replace(IS_CODEX, ''));
    const name = `${nickname(taken, Math.random())}${codex ? IS_CODEX : ''}`;
    const session = await family.create({
      ...{ nickname: name, backend: codex ? ONE_SHOT : null },
      ...{ model: model ?? now.model, effort: effort ?? now.effort },
      history: history === null ? [] : forkedHistory(history),
    });
    if (this.#left) await this.#abandon(session.id);
    const agent = watched(session.id, name);
    this.#agents.set(agent.id, agent);
    emit({ type: 'item.started', item: itemOf(agent, prompt, call) });
    this.#watch(agent, session);
    this.#tell();
    try {
      await session.submit(asInput(prompt, 'queue'), null);
    } catch (error) {
      await this.close(agent.id);
      throw error;
    }
    return { id: agent.id, nickname: name };
  }

  async send(id: string, prompt: string, interrupt: boolean): Promise<string> {
    await this.#ready;
    const agent = this.#agents.get(id);
    if (!agent) throw new Failure('notFound', 'agent.unknown', `unknown agent: ${id}`);
    if (agent.closed) throw new Failure('conflict', 'agent.closed', `agent is shutdown: ${id}`);
    const session = await this.ports.family.find(id);
    if (agent.session === null) this.#watch(agent, session);
    return (await session.submit(asInput(prompt, interrupt ? 'steer' : 'queue'), null)).inputId;
  }

  async resume(id: string): Promise<AgentStanding> {
    await this.#ready;
    const agent = this.#agents.get(id);
    if (!agent?.closed) return this.#standing(id);
    this.#checkRoom();
    const session = await this.ports.family.reopen(id);
    Object.assign(agent, { closed: false, stand: UNTOUCHED });
    this.#watch(agent, session);
    this.#showItem(agent);
    this.#tell();
    return agent.stand.standing;
  }

  async wait(ids: readonly string[], wait: AgentWait) {
    await this.#ready;
    const hasEnded = () => ids.some((id) => isFinal(this.#standing(id)));
    const why = await this.#until(hasEnded, wait);
    if (why === 'time') return { status: {}, timedOut: true };
    const status = Object.fromEntries(ids.map((id) => [id, this.#standing(id)]));
    for (const id of ids) {
      const agent = this.#agents.get(id);
      if (agent && typeof status[id] === 'object') this.#told(agent);
    }
    return { status, timedOut: false };
  }

  async close(id: string): Promise<AgentStanding> {
    await this.#ready;
    const agent = this.#agents.get(id);
    const before = this.#standing(id);
    if (!agent || agent.closed) return before;
    // what it is stopped in is no news to the one that closes it
    agent.detach();
    try {
      await this.ports.family.close(id);
    } catch (error) {
      await this.#find(agent);
      throw error;
    }
    this.#told(agent);
    this.#closed(agent);
    return before;
  }

  /** Stops what they do. */
  interrupt(by: string | null): void {
    for (const { stand, session } of this.#open())
      if (stand.standing === 'running')
        session?.interrupt(by).catch((error) => this.ports.fault('stop an agent', error));
  }

  /** The end of one of them is part of the conversation. */
  told(end: AgentEnd): void {
    const agent = this.#agents.get(end.agentId);
    if (agent) this.#told(agent, end);
  }

  /** Nothing of them is told any more. */
  leave(): void {
    this.#left = true;
    for (const agent of this.#agents.values()) agent.detach();
    for (const listener of [...this.#listeners]) listener();
  }

  #open(): Watched[] {
    return [...this.#agents.values()].filter(({ closed }) => !closed);
  }

  #standing(id: string): AgentStanding {
    return this.#agents.get(id)?.stand.standing ?? 'not_found';
  }

  #checkRoom(): void {
    const open = this.#open();
    if (open.length < this.ports.most) return;
    const done = open.filter(({ stand }) => isFinal(stand.standing));
    const named = (done.length > 0 ? done : open).map((one) => `${one.nickname} (${one.id})`).join(', ');
    throw new Failure(
      'tooMany',
      'agent.limit',
      `${open.length} agents are open, and no more may be (agents.max_threads in config.toml); ` +
        `close ${done.length > 0 ? 'one that has ended' : 'one'} with close_agent first: ${named}`,
    );
  }

  /** It was made while this session left memory: nobody would watch what it does. Always throws. */
  async #abandon(id: string): Promise<never> {
    await this.ports.family.close(id);
    const why = 'The session was closed while it started an agent; the agent was closed too.';
    throw new Failure('unavailable', 'session.closed', why);
  }

  async #find(agent: Watched): Promise<Session | null> {
    try {
      const session = await this.ports.family.find(agent.id);
      this.#watch(agent, session);
      return session;
    } catch (error) {
      if (!(error instanceof Failure)) this.ports.fault('find an agent', error);
      this.#stands(agent, { standing: { errored: messageOf(error) }, turnId: null });
      return null;
    }
  }

  #watch(agent: Watched, session: Session): void {
    if (this.#left) return;
    agent.detach();
    agent.session = session;
    const detach = session.subscribe({
      snapshot: ({ state }) => {
        agent.used = state.usage?.total ?? NO_USAGE;
        this.#look(agent, session);
      },
      events: (_epoch, events) => {
        for (const event of events) this.#see(agent, session, event);
      },
      ended: () => this.#gone(agent),
    });
    agent.detach = () => {
      agent.session = null;
      detach();
    };
  }

  #see(agent: Watched, session: Session, event: SessionEvent): void {
    if (event.type === 'usage.updated') {
      const used = minus(event.total, agent.used);
      agent.used = event.total;
      this.ports.used(used, session.snapshot().state.model ?? '');
    }
    if (TELLING.has(event.type)) this.#look(agent, session);
  }

  #look(agent: Watched, session: Session): void {
    const { lastTurn, asks } = session.summary();
    const asksChanged = !isDeepStrictEqual(asks, agent.asks);
    agent.asks = asks;
    this.#stands(agent, standOf(session.snapshot().state, lastTurn), asksChanged);
    if (asksChanged) this.ports.changed();
  }

  #stands(agent: Watched, stand: Stand, asksChanged = false): void {
    const before = agent.stand;
    const changed = !isDeepStrictEqual(stand, before);
    agent.stand = stand;
    if (changed) this.#follow(agent);
    if (this.#starting || !(changed || asksChanged)) return;
    if (changed) this.#showItem(agent);
    this.#tell();
    for (const listener of [...this.#listeners]) listener();
  }

  /** Its end is news. */
  #follow(agent: Watched): void {
    const { standing, turnId } = agent.stand;
    if (turnId === null || turnId === agent.toldTurn || this.#isInConversation(turnId)) return;
    const end = { agentId: agent.id, nickname: agent.nickname, turnId, standing, read: false };
    agent.ends = [...agent.ends, end];
    this.ports.wakes.agentEnded(end, this.#starting);
  }

  /** The file may know more than what was saved beside it. */
  #isInConversation(turnId: string): boolean {
    return this.ports
      .state()
      .items.some(
        (item) =>
          item.type === 'notice' && item.code.startsWith('wake.agent') && item.details?.turnId === turnId,
      );
  }

  /** All up to this one. */
  #told(agent: Watched, last = agent.ends.at(-1)): void {
    const at = last ? agent.ends.indexOf(last) : -1;
    if (!last || at < 0) return;
    for (const end of agent.ends.slice(0, at + 1)) end.read = true;
    Object.assign(agent, { ends: agent.ends.slice(at + 1), toldTurn: last.turnId });
    this.ports.family
      .told(agent.id, last.turnId)
      .catch((error) => this.ports.fault('save that an end was told', error));
  }

  /** It left memory: by the hand of a person, or with all others. */
  #gone(agent: Watched): void {
    agent.session = null;
    if (this.#left || !this.ports.family.agents().some((row) => row.id === agent.id && row.closed)) return;
    this.#closed(agent);
  }

  #closed(agent: Watched): void {
    Object.assign(agent, { closed: true, session: null, asks: [] });
    agent.stand = SHUTDOWN;
    this.#showItem(agent);
    this.#tell();
    this.ports.changed();
    for (const listener of [...this.#listeners]) listener();
  }

  /** One that lies too far back stays as it was. */
  #showItem({ id, stand }: Watched): void {
    const item = this.ports.state().items.findLast((one) => isItemOf(one, id));
    if (item?.type !== 'subAgent') return;
    const now = agentItem(item, stand.standing, new Date().toISOString());
    if (isDeepStrictEqual({ ...now, completedAt: item.completedAt }, item)) return;
    const type = now.status === 'inProgress' ? 'item.updated' : 'item.completed';
    this.ports.emit({ type, item: now });
  }

  #tell(): void {
    const agents: AgentSummary[] = this.#open().map(({ id, nickname, stand, asks }) => ({
      ...{ id, nickname, status: statusOf(stand.standing), asks: asks.length },
    }));
    this.ports.emit({ type: 'agents.updated', agents });
  }

  /** Resolves when `done` holds, or with what ended the wait before. Rejects with the signal's reason. */
  async #until(
    done: () => boolean,
    { ms, signal, steerWaiting, onSteer }: AgentWait,
  ): Promise<'done' | 'time' | 'steer'> {
    signal.throwIfAborted();
    if (done()) return 'done';
    if (steerWaiting()) return 'steer';
    return new Promise((resolve, reject) => {
      const end = (why: 'done' | 'time' | 'steer' | 'abort') => {
        clearTimeout(timer);
        off();
        this.#listeners.delete(look);
        signal.removeEventListener('abort', abort);
        if (why === 'abort') reject(signal.reason);
        else resolve(why);
      };
      const look = () => {
        if (done()) end('done');
      };
      const abort = () => end('abort');
      const timer = setTimeout(() => end('time'), ms);
      const off = onSteer(() => end('steer'));
      signal.addEventListener('abort', abort);
      this.#listeners.add(look);
    });
  }
}

function itemOf(
  { id, nickname }: Watched,
  prompt: string,
  call: { itemId: string; turnId: string },
): SubAgent {
  return {
    ...{ id: call.itemId, type: 'subAgent', turnId: call.turnId, status: 'inProgress' },
    ...{ startedAt: new Date().toISOString(), agentId: id, nickname, prompt: shown(prompt) },
    ...{ agentStatus: 'pending', message: null },
  };
}

function isItemOf(item: Item, agentId: string): boolean {
  return item.type === 'subAgent' && item.agentId === agentId;
}

/** Never a command, whatever it begins with. */
function asInput(text: string, mode: 'steer' | 'queue') {
  return { id: uuid(), text, mode, literal: true };
}
