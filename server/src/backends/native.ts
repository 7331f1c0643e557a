/** Our own agent: the turn loop over a model client, with a history, tools and the session's processes. */
import interruptedByUser from '@tscodex/prompts/interrupted-by-user.md';
import turnHook from '@tscodex/prompts/turn-hook.md';
import type { BackgroundCommand } from '@tscodex/shared/events';
import { v7 as uuid } from 'uuid';
import { hasConversation } from '../agent/compaction/compacted-history.ts';
import { Compactor } from '../agent/compaction/compactor.ts';
import { outcomeOf, runTurn, type TurnOutcome } from '../agent/turn.ts';
import type { TurnContext, TurnPorts } from '../agent/turn-context.ts';
import { UniqueIds } from '../agent/unique-ids.ts';
import {
  developerText,
  outputFor,
  type ResponseItem,
  unansweredCalls,
  userText,
} from '../base/response-items.ts';
import { branchChange } from '../context/assemble.ts';
import { type ContextSections, contextChanges, type Told, toldBy } from '../context/context-changes.ts';
import type { EnvironmentChange, LoginEnvironment } from '../exec/login-environment.ts';
import type { ProcessManager } from '../exec/process-manager.ts';
import type { ModelFacts } from '../model/catalog.ts';
import type { ModelClient } from '../model/client.ts';
import type { ModelSettings } from '../model/request-parameters.ts';
import type { Holding, ImageShelf, Tool, ToolContext } from '../tools/tool.ts';
import type { AgentBackend, BackendChange, BackendHost, Fork, ForkOutcome } from './backend.ts';
import { forkPorts } from './fork-ports.ts';

/** How a session reaches its model; a change of model may need another client. */
export interface ModelAccess {
  client(model: string): ModelClient;
  /** What is known about a model, and what the configuration says otherwise. */
  facts(model: string): ModelFacts;
}

export type NativeOptions = {
  sessionId: string;
  /** Whether another agent has started this one. */
  subAgent: boolean;
  /** Where commands start, as of now. */
  readonly cwd: string;
  settings: ModelSettings;
  models: ModelAccess;
  /** Awaited at the start of each turn: what is set now, where the model could not be called; null: nothing is new. */
  mended: (model: string) => Promise<ModelSettings | null>;
  /** Of the agent, the same for every request of a loaded session. */
  instructions: () => string;
  /**
   * Awaited before the context and the instructions are asked for, at the start of each turn: looks through the files
   * that they are made of. Throws `config.instructions`.
   */
  prepareContext: () => Promise<void>;
  /** What the model is to know of its surroundings, as of now. */
  context: () => ContextSections;
  holding: Holding;
  rules: ToolContext['rules'];
  /** For a model of which this is known. */
  tools: (facts: ModelFacts) => readonly Tool[];
  /** What earlier turns have left; the backend appends to it. */
  history: ResponseItem[];
  /** Tokens that it took by the model's own count, up to its last answer; undefined where that is not known. */
  historyTokens: number | undefined;
  /** The instruction to sum a conversation up, instead of ours. */
  compactPrompt: string | undefined;
  processes: ProcessManager;
  /** For a fork: one of its own, of which nothing is shown. */
  forkProcesses: () => ProcessManager;
  /** The environment commands run in. */
  environment: Pick<LoginEnvironment, 'get' | 'refresh'>;
  images: ImageShelf;
  host: BackendHost;
};

/** Commands and patches of a fork that are told of. */
const MOST_DONE = 100;

/** What the model reads in place of an output. */
const CLOSING = { interrupted: 'aborted by the user', failed: 'not run: the turn failed before' };

export class NativeBackend implements AgentBackend {
  #settings: ModelSettings;
  /** What the model was told of its surroundings. */
  #told: Told;
  readonly #compactor: Compactor;
  readonly #ids: UniqueIds;

  constructor(private readonly options: NativeOptions) {
    this.#settings = options.settings;
    this.#told = toldBy(options.history);
    this.#ids = new UniqueIds(options.history);
    this.#compactor = new Compactor(this.#compactionPorts(), options.compactPrompt);
    if (options.historyTokens !== undefined) this.#compactor.resume(options.historyTokens, options.history);
  }

  async runTurn(turnId: string, signal: AbortSignal): Promise<TurnOutcome> {
    const { processes } = this.options;
    await this.#prepare();
    const turn = this.#turn(turnId);
    const outcome = await runTurn(turn, this.#ports(turnId, signal), signal, this.#compactor);
    if (outcome.status === 'interrupted') await processes.stopTurn(turnId);
    if (outcome.status !== 'completed') await this.#closeHistory(outcome.status);
    return outcome;
  }

  hasConversation(): boolean {
    return hasConversation(this.options.history);
  }

  async compact(turnId: string, signal: AbortSignal): Promise<TurnOutcome> {
    await this.#prepare();
    const stage = { context: this.#turn(turnId), ports: this.options.host, signal };
    const done = this.#compactor.compactNow(stage).then(() => null);
    return outcomeOf(done, signal);
  }

  async #prepare(): Promise<void> {
    const { model, effort } = this.#settings;
    const mended = await this.options.mended(model);
    // what people have set stays
    if (mended) this.#settings = { ...mended, model: model || mended.model, effort: effort ?? mended.effort };
    await this.options.prepareContext();
  }

  fork(): Fork {
    const history = [...this.options.history];
    return (instruction, signal) => this.#runFork(history, instruction, signal);
  }

  listModels(signal: AbortSignal): Promise<string[]> {
    return this.options.models.client(this.#settings.model).listModels(signal);
  }

  change(change: BackendChange): () => void {
    // one that cannot be reached is refused here rather than at the next turn
    if (change.model !== undefined) this.options.models.client(change.model);
    return () => {
      this.#settings = { ...this.#settings, ...change };
    };
  }

  background(): BackgroundCommand[] {
    return this.options.processes.list();
  }

  stopCommand(processId: string): Promise<void> {
    return this.options.processes.stop(processId);
  }

  refreshEnvironment(): Promise<EnvironmentChange> {
    return this.options.environment.refresh();
  }

  output(itemId: string): string | null {
    return this.options.processes.output(itemId);
  }

  close(): Promise<void> {
    return this.options.processes.stopAll();
  }

  async #runFork(history: ResponseItem[], instruction: string, signal: AbortSignal): Promise<ForkOutcome> {
    const turnId = uuid();
    const done: string[] = [];
    const processes = this.options.forkProcesses();
    const ports = forkPorts(this.#ports(turnId, signal), {
      ...{ host: this.options.host, model: this.#settings.model, processes },
      inputs: [developerText(turnHook.trim()), userText(instruction)],
      done: (what) => {
        if (done.length < MOST_DONE) done.push(what);
      },
    });
    try {
      return { ...(await runTurn(this.#turn(turnId, history), ports, signal)), done };
    } finally {
      await processes.stopAll();
    }
  }

  #turn(turnId: string, history = this.options.history): TurnContext {
    const { sessionId, subAgent, models, instructions, tools } = this.options;
    const client = models.client(this.#settings.model);
    const facts = models.facts(this.#settings.model);
    const model = { client, settings: this.#settings, facts };
    const said = { instructions: instructions(), history, tools: tools(facts) };
    return { sessionId, subAgent, turnId, ...model, ...said, ids: this.#ids };
  }

  #compactionPorts(): ConstructorParameters<typeof Compactor>[0] {
    const { host, context } = this.options;
    return {
      surroundings: async () => contextChanges({}, context()),
      recordCompaction: async (compaction) => {
        await host.recordCompaction(compaction);
        this.#told = toldBy(compaction.history);
      },
      usedAside: (usage) => host.usedAside(usage, this.#settings.model),
      contextReplaced: host.contextReplaced,
    };
  }

  #ports(turnId: string, signal: AbortSignal): TurnPorts {
    const { host, sessionId, processes, rules, holding, environment, images } = this.options;
    return {
      emit: host.emit,
      record: host.record,
      takeInputs: host.takeInputs,
      news: () => this.#news(),
      sending: host.sending,
      // a profile takes its time: it is read while the model writes its first call
      calling: () => void environment.get(signal).catch(() => undefined),
      used: (usage) => host.used(usage, this.#settings.model),
      toolCrashed: (name, error) => host.fault(`tool ${name}`, error),
      toolContext: (callId, itemId) => ({
        sessionId,
        turnId,
        callId,
        itemId,
        cwd: this.options.cwd,
        signal,
        policy: host.policy(),
        ...{ rules, holding, allowed: host.allowed, allowedBy: host.allowedBy },
        ask: host.asking({ turnId, callId, itemId, signal }),
        processes,
        environment: () => environment.get(signal),
        images,
        agents: host.agents,
        conversation: () => this.options.history,
        emit: host.emit,
        setClock: host.setClock,
        begin: () => host.begin(turnId, callId),
        steerWaiting: host.steerWaiting,
        onSteer: host.onSteer,
      }),
    };
  }

  async #news(): Promise<ResponseItem[]> {
    const { host, context } = this.options;
    const changes = contextChanges(this.#told, context());
    const items = [...host.branchSwitches().map(branchChange), ...changes];
    if (items.length === 0) return [];
    await host.record(items);
    this.#told = toldBy(items, this.#told);
    return items;
  }

  /**
   * Only a turn that goes on may begin with unanswered calls: any other would run them again. And the model must
   * know when it was stopped.
   */
  async #closeHistory(status: 'interrupted' | 'failed'): Promise<void> {
    const { history, host } = this.options;
    const items = [
      ...unansweredCalls(history).map((call) => outputFor(call, CLOSING[status])),
      ...(status === 'interrupted' ? [userText(interruptedByUser.trim())] : []),
    ];
    if (!items.length) return;
    history.push(...items);
    await host.record(items).catch((error) => host.fault('record an interruption', error));
  }
}
