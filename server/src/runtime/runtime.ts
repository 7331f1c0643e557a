/**
 * A session in memory: where its inputs, asks, turns, events and files meet. What each of them decides is in a
 * file of its own; here they are tied together and offered to the outside.
 * Long, because it is a session's one stateful owner: nearly all of it is `Session` and `BackendHost`, call by call.
 */
import continueText from '@tscodex/prompts/continue.md';
import type { AskAnswer, AskEnding, SessionGrant } from '@tscodex/shared/asks';
import type { EventBody } from '@tscodex/shared/events';
import type { Input, InputPatch, NewInput } from '@tscodex/shared/inputs';
import type { Item } from '@tscodex/shared/items';
import { lacks } from '@tscodex/shared/lacks';
import type {
  Found,
  ItemPage,
  SessionChange,
  SessionModel,
  SessionSnapshot,
  SessionSummary,
} from '@tscodex/shared/workspace';
import { v7 as uuid } from 'uuid';
import type { AgentBackend, BackendHost } from '../backends/backend.ts';
import { once } from '../backends/codex-one-shot/backend.ts';
import { Failure } from '../base/errors.ts';
import { isToolOutput, textOf } from '../base/response-items.ts';
import { isSaidByPeople } from '../base/said-by-people.ts';
import type { PageAsked } from '../session/item-pages.ts';
import { askBrief } from './asks/ask-brief.ts';
import { Asks } from './asks/asks.ts';
import { Background } from './background/background.ts';
import { CommandRuns } from './command-runs.ts';
import type { CommandHost } from './commands.ts';
import { Company } from './company.ts';
import { Conversation } from './conversation.ts';
import { Drafts } from './drafts.ts';
import { EventLog } from './event-log.ts';
import { FAREWELLS, type Farewell } from './farewells.ts';
import { SessionHooks } from './hooks/session-hooks.ts';
import { interpret, steersOf } from './input-queue.ts';
import { Inputs } from './inputs.ts';
import { ItemRecords } from './item-records.ts';
import { ModelList } from './model-list.ts';
import { notice } from './notice.ts';
import { neverRan } from './restart.ts';
import type { RuntimeOptions } from './runtime-options.ts';
import type { Session, Viewer } from './session-directory.ts';
import { SettingsChanges } from './settings-changes.ts';
import { SubAgents } from './sub-agents/sub-agents.ts';
import { titleFrom } from './title.ts';
import { Turns } from './turns.ts';
import { UsageAccount } from './usage.ts';
import { Workplaces } from './workplaces.ts';

export class SessionRuntime implements Session {
  readonly id: string;
  readonly workspaceId: string;
  readonly #log: EventLog;
  readonly #inputs: Inputs;
  readonly #asks: Asks;
  readonly #turns: Turns;
  readonly #hooks: SessionHooks;
  readonly #background: Background;
  readonly #commands: CommandRuns;
  readonly #drafts: Drafts;
  readonly #conversation: Conversation;
  readonly #company: Company;
  readonly #settings: SettingsChanges;
  readonly #usage: UsageAccount;
  readonly #agents: SubAgents;
  readonly #models: ModelList;
  readonly #records: ItemRecords;
  readonly #backend: AgentBackend;
  readonly #steerListeners = new Set<() => void>();
  readonly #gone = new AbortController();
  #leaving = false;
  #unloaded = false;
  #lastActivityAt: string;
  /** The number of the event that began the agent's latest message. */
  #answered = 0;

  constructor(private readonly options: RuntimeOptions) {
    const { state, store, rollout, attachments, context, knownInputs, fault } = options;
    this.id = state.id;
    this.workspaceId = state.workspaceId;
    this.#log = new EventLog(state);
    const emit = this.#emit;
    const waiting = () => this.#log.state.waiting;
    this.#usage = new UsageAccount(
      { rollout, rates: options.rates, emit, fault, model: () => this.#log.state.model },
      options.usage,
    );
    const effects = {
      addRule: (prefix: string[], command: string, by: string | null) =>
        options.rules.add(prefix, command, by),
      stop: (by: string | null) => void this.interrupt(by),
    };
    const granted = () => options.subAgent?.granted() ?? null;
    this.#asks = new Asks(state.id, store, emit, options.openTurn?.id ?? null, effects, fault, granted);
    const answered = () => this.#answered;
    const steers = !lacks(state.backend, 'steer');
    const inputPorts = { store, rollout, attachments, context, emit, waiting, answered, steers, fault };
    this.#inputs = new Inputs(inputPorts, knownInputs);
    this.#drafts = new Drafts(store, () => this.#log.state.items, fault);
    this.#conversation = new Conversation(options.index, rollout, () => this.#log.state.items);
    const { workspaceDir } = options;
    this.#background = new Background(
      {
        ...{ store, reads: options.reads, emit, fault },
        // TURN_HOOK.md follows what people ask for, not each part of it
        workspaceDir: options.subAgent ? () => null : workspaceDir,
        agentsWork: () => this.#agents.working,
        agentTold: (end) => this.#agents.told(end),
        backend: () => this.#backend,
        items: () => this.#log.state.items,
        wake: () => {
          this.#turns.next();
          this.#showStatus();
        },
      },
      { clock: state.clock, wakes: options.wakes },
    );
    this.#agents = new SubAgents({
      ...{ family: options.family, most: options.agents.most, wakes: this.#background.wakes, emit, fault },
      state: () => this.#log.state,
      used: (usage, model) => this.#usage.usedAside(usage, model),
      changed: options.onChange,
    });
    this.#turns = new Turns(
      {
        ...{ store, rollout, emit, fault, inputs: this.#inputs, asks: this.#asks },
        background: this.#background,
        backend: () => this.#backend,
        usage: () => this.#usage.turn,
        isClosed: () => options.subAgent?.isClosed() ?? false,
        sleeps: () =>
          this.#background.hasClock ||
          this.#background.wakes.waits ||
          this.#log.state.background.length > 0 ||
          this.#agents.working,
        completed: () => this.#background.turnCompleted(),
        showsCompaction: (turnId) =>
          this.#log.state.items.some((item) => item.type === 'compaction' && item.turnId === turnId),
        changed: () => this.#showStatus(),
      },
      options,
    );
    this.#settings = new SettingsChanges({
      ...{ store, permissions: options.permissions, place: options.place, efforts: options.efforts },
      ...{ emit, onChange: options.onChange, titled: options.titled },
      backend: () => this.#backend,
      state: () => this.#log.state,
      isRunning: () => this.#turns.running,
    });
    const tell = (item: Item) => emit({ type: 'item.completed', item });
    // an agent works beside the one that has started it, on purpose
    this.#company = new Company(options.subAgent ? new Workplaces() : options.workplaces, {
      directory: () => options.place.cwd,
      title: () => this.#log.state.title,
      waits: () => this.#asks.open().length > 0,
      turnId: () => this.#log.state.turn?.id ?? null,
      tell,
    });
    this.#commands = new CommandRuns({ host: this.#commandHost(), inputs: this.#inputs, store, tell, fault });
    this.#hooks = new SessionHooks({ ...options.hooks, workspaceDir, state: () => this.#log.state, tell });
    const backend = () => this.#backend;
    this.#records = new ItemRecords({ rollout, outputs: options.outputs, backend, fault });
    this.#models = new ModelList({
      ...{ backend, state: () => this.#log.state, efforts: options.efforts, gone: this.#gone.signal },
    });
    this.#lastActivityAt = options.lastActivityAt;
    this.#backend = options.backend(this.#host());
    this.#showStatus();
    if (this.#asks.kept().length > 0) this.#asks.tellKept();
  }

  /** Whether the running turn sums the conversation up: what is said meanwhile is for the next one. */
  get compacting(): boolean {
    return this.#turns.compacting;
  }

  /** Goes on where the session was left. */
  start(): void {
    this.#agents.start();
    this.#background.start();
    for (const input of this.options.commands) {
      const meaning = interpret(input.text, 'steer', false);
      if (meaning.kind === 'command') this.#commands.start(input, meaning);
    }
    this.#turns.next();
    this.#background.windClock(!this.#turns.running && !this.#turns.paused);
  }

  summary(): SessionSummary {
    const { id, title, status, model, createdAt } = this.#log.state;
    const asks = [...this.#log.state.asks.map(askBrief), ...this.#agents.asks()];
    const lastActivityAt = this.#lastActivityAt;
    return { id, title, status, asks, model, createdAt, lastActivityAt, lastTurn: this.#turns.last };
  }

  snapshot(): SessionSnapshot {
    return this.#log.snapshot();
  }

  subscribe(viewer: Viewer, from?: { epoch: string; after: number }): () => void {
    return this.#log.subscribe(viewer, from);
  }

  async submit(added: NewInput, author: string | null): Promise<{ inputId: string; duplicate: boolean }> {
    if (this.#leaving)
      throw new Failure('unavailable', 'session.closed', 'The session was closed; open it again.');
    if (this.options.subAgent?.isClosed())
      throw new Failure(
        'conflict',
        'agent.closed',
        'This sub-agent is closed; only the agent that has started it can open it again: ask that one to.',
      );
    this.#checkTask(added);
    const accepted = await this.#inputs.accept(added, author);
    if (!accepted) return { inputId: added.id, duplicate: true };
    this.#records.spoken();
    this.#lastActivityAt = new Date().toISOString();
    if (accepted.meaning.kind === 'command') this.#commands.start(accepted.input, accepted.meaning);
    else await this.#inputArrived(accepted.input);
    return { inputId: added.id, duplicate: false };
  }

  /** Throws `agent.one-shot` where it has a task already. */
  #checkTask({ id, text, mode, literal }: NewInput): void {
    const { subAgent, knownInputs } = this.options;
    if (!subAgent?.oneShot || knownInputs.size === 0 || knownInputs.has(id)) return;
    if (interpret(text, mode, literal ?? false).kind === 'message') throw once();
  }

  changeInput(id: string, patch: InputPatch, by: string | null): Promise<void> {
    return this.#inputs.change(id, patch, by);
  }

  withdrawInput(id: string): Promise<void> {
    return this.#inputs.withdraw(id);
  }

  async interrupt(by: string | null): Promise<void> {
    this.#background.stopTurnHook(by);
    this.#background.hold(this.#turns.running);
    this.#agents.interrupt(by);
    this.#turns.interrupt(by);
  }

  async resume(by: string | null): Promise<void> {
    if (this.#turns.paused) {
      this.#background.release();
      await this.#turns.unpause();
      const text = by === null ? 'Resumed.' : `Resumed by ${by}.`;
      const item = notice('info', 'session.resumed', text, by === null ? {} : { details: { by } });
      return this.#emit({ type: 'item.completed', item });
    }
    if (!this.#log.state.canContinue || this.#turns.running)
      throw new Failure('conflict', 'session.nothing-to-resume', 'There is nothing to continue here.');
    await this.submit({ id: uuid(), text: continueText.trim(), mode: 'steer', literal: true }, by);
  }

  answer(askId: string, answer: AskAnswer, by: string | null): Promise<void> {
    return this.#asks.answer(askId, answer, by);
  }

  askEnding(askId: string): AskEnding {
    return this.#asks.ending(askId);
  }

  grants(): SessionGrant[] {
    return this.#asks.kept();
  }

  takeBackGrant(id: string, by: string | null): Promise<void> {
    return this.#asks.takeBack(id, by);
  }

  /** Tells everybody something in the conversation; it is in the file once somebody has said something. */
  tell(item: Item): void {
    this.#records.keepUntilSpoken(item);
    this.#emit({ type: 'item.completed', item });
  }

  stopClock(by: string | null): Promise<void> {
    return this.#background.stopClock(by);
  }

  stopCommand(processId: string, by: string | null): Promise<void> {
    return this.#background.stop(processId, by);
  }

  change(change: SessionChange, by: string | null): Promise<void> {
    return this.#settings.change(change, by);
  }

  /** What the session may do may have changed, or whether this machine can confine it. */
  showPermissions(): void {
    this.#settings.showPermissions();
  }

  /** The path of its file, once all that has happened so far is in it. */
  async recorded(): Promise<string> {
    await this.options.rollout.flush();
    return this.options.rollout.path;
  }

  items(asked: PageAsked, limit: number): Promise<ItemPage> {
    return this.#conversation.page(asked, limit);
  }

  all(): AsyncGenerator<Item> {
    return this.#conversation.all();
  }

  find(words: string, gone: AbortSignal): Promise<Found> {
    return this.#conversation.find(words, gone);
  }

  async output(itemId: string): Promise<string> {
    const held = this.#backend.output(itemId) ?? (await this.options.outputs.read(itemId));
    if (held !== null) return held;
    const item = this.#log.state.items.find((candidate) => candidate.id === itemId);
    if (item?.type === 'commandExecution') return item.output;
    throw new Failure('notFound', 'item.no-output', `No output is kept for item ${itemId}.`);
  }

  /**
   * Leaves memory: what runs is ended, what waits for people stays as it is and goes on at the next load. After a
   * `close` that is when somebody opens it again; `unlist` is for a workspace that left the list.
   */
  async unload(how: Farewell): Promise<void> {
    const closes = how === 'close';
    this.#leaving = true;
    this.#gone.abort();
    this.#agents.leave();
    // from here on all but a close is like a crash: what ends now is not recorded as ended
    if (!closes) this.#unloaded = true;
    try {
      await Promise.all([this.#background.leave(), this.#turns.leave(closes ? 'close' : 'shutdown')]);
      await this.#commands.settled;
      await this.#backend.close();
    } finally {
      this.#unloaded = true;
      this.#drafts.stop();
      this.#company.leave();
      this.#hooks.closed(how);
      await this.options.rollout.close();
      this.#log.end(FAREWELLS[how]);
    }
  }

  #host(): BackendHost {
    const { store, rollout, permissions, fault } = this.options;
    return {
      emit: this.#emit,
      record: async (items) => {
        if (this.#unloaded) return;
        await rollout.recordItems(items);
        for (const item of items) if (isToolOutput(item)) await this.#asks.settled(item.call_id);
      },
      recordCompaction: async (compaction) => {
        if (!this.#unloaded) await rollout.recordCompaction(compaction);
      },
      takeInputs: (most) => this.#takeInputs(most),
      sending: () => this.#turns.sending(),
      branchSwitches: () => this.#company.news(),
      used: (usage, model) => {
        if (!this.#unloaded) this.#usage.used(usage, model);
      },
      usedAside: (usage, model) => {
        if (!this.#unloaded) this.#usage.usedAside(usage, model);
      },
      contextReplaced: (tokens) => {
        if (!this.#unloaded) this.#usage.contextReplaced(tokens);
      },
      asking: (call) => this.#asks.asking(call),
      agents: this.options.agents.may ? this.#agents : null,
      begin: (turnId, callId) => store.startCall(turnId, callId),
      commandEnded: (end) => this.#background.wakes.commandEnded(end),
      setClock: (periodMinutes) => this.#background.setClock(periodMinutes),
      policy: () => {
        this.showPermissions();
        return { ...permissions.policy, granted: (key) => this.#asks.allowedBy(key) !== null };
      },
      allowed: () => this.#asks.allowed(),
      allowedForSession: () => this.#asks.allowedForSession(),
      allowedBy: (key) => this.#asks.allowedBy(key),
      steerWaiting: () => steersOf(this.#inputs.free()).length > 0,
      onSteer: (listener) => {
        this.#steerListeners.add(listener);
        return () => this.#steerListeners.delete(listener);
      },
      fault,
    };
  }

  /** An arrow, because it travels: everybody below tells what happens through it. */
  #emit = (happened: EventBody): void => {
    if (this.#unloaded) return;
    const event = this.#withTurnHook(this.#withPeople(happened));
    this.#company.see(event);
    this.#log.emit(event);
    if (event.type === 'item.started' && event.item.type === 'agentMessage')
      this.#answered = this.#log.state.seq;
    this.#drafts.see(event);
    this.#records.see(event);
    if (event.type === 'turn.completed') this.#background.turnEnded(event.status);
    if (['ask.opened', 'ask.closed', 'background.updated', 'agents.updated'].includes(event.type))
      this.#showStatus();
    if (event.type === 'background.updated') this.#background.save();
    this.#usage.see(event);
    this.#hooks.see(event);
  };

  #withTurnHook(event: EventBody): EventBody {
    if (event.type !== 'background.updated' || !event.commands) return event;
    return { ...event, commands: this.#background.listed(event.commands) };
  }

  /** What was asked about is shown with what came of it, and what was ended with who did. */
  #withPeople(event: EventBody): EventBody {
    if (event.type !== 'item.completed') return event;
    const done = event.item as Item;
    const item = this.#asks.isUnanswered(done.id) ? neverRan(done) : done;
    const asks = item.type === 'commandExecution' || item.type === 'fileChange' || item.type === 'toolCall';
    const decision = asks ? this.#asks.decision(item.id) : undefined;
    const endedBy = this.#background.endedBy(item);
    if (!decision && endedBy === undefined) return { ...event, item };
    const people = { ...(decision ? { decision } : {}), ...(endedBy === undefined ? {} : { endedBy }) };
    return { ...event, item: { ...item, ...people } as Item };
  }

  async #inputArrived(input: Input): Promise<void> {
    // a message always revives a session
    if (this.#turns.paused) await this.#turns.unpause();
    if (input.mode === 'steer') for (const listener of this.#steerListeners) listener();
    this.#turns.next();
    this.options.onChange();
  }

  async #takeInputs(most?: number) {
    const taken = await this.#turns.takeInputs(most);
    const first = taken.find(isSaidByPeople);
    const title = first ? titleFrom(textOf(first)) : null;
    // what was taken is taken, whatever becomes of the title
    if (title !== null && this.#log.state.title === null)
      this.renamed(title).catch((error) => this.options.fault('save a title', error));
    return taken;
  }

  #commandHost(): CommandHost {
    return {
      state: () => this.#log.state,
      interrupt: (by) => this.interrupt(by),
      change: (change, by) => this.change(change, by),
      efforts: (model) => this.options.efforts.of(model),
      newestFirst: () => this.#conversation.newestFirst(),
      listModels: () => this.#models.names(),
      fork: () => this.options.fork(),
      sessions: this.options.sessions,
      refreshEnvironment: () => this.#backend.refreshEnvironment(),
      compact: () => {
        if (!this.#backend.hasConversation()) return false;
        this.#turns.compact();
        return true;
      },
    };
  }

  models(): Promise<SessionModel[]> {
    return this.#models.models();
  }

  /** It was given this title elsewhere. */
  renamed(title: string): Promise<void> {
    return this.#settings.renamed(title);
  }

  #showStatus(): void {
    const status = this.#turns.status();
    this.#background.windClock(!this.#turns.running && !this.#turns.paused);
    if (status === this.#log.state.status) return;
    if (status === 'idle' || status === 'sleeping') this.#lastActivityAt = new Date().toISOString();
    this.#emit({ type: 'session.updated', patch: { status } });
    this.options.onChange();
  }
}
