/** The user's own Codex as the agent, one `codex exec` a turn. It asks nobody and takes nothing into a running turn. */

import type { Usage } from '@tscodex/shared/events';
import type { TurnOutcome } from '../../agent/turn.ts';
import { Failure, problemOf } from '../../base/errors.ts';
import type { EnvironmentChange } from '../../exec/login-environment.ts';
import { minus } from '../../session/usage-tally.ts';
import type { AgentBackend, BackendChange, BackendHost } from '../backend.ts';
import { ExecEvents } from '../codex-events/exec-events.ts';
import type { CodexPlace } from '../codex-process/codex-child.ts';
import type { CodexInput } from '../codex-process/codex-input.ts';
import { type CodexVersions, compare, tooOld } from '../codex-process/codex-version.ts';
import type { HeldAs } from '../codex-process/held-as.ts';
import { keptEnvironment } from '../codex-process/kept-environment.ts';
import { notResumed } from '../codex-process/not-resumed.ts';
import { execArguments } from './arguments.ts';
import { ExecTurn } from './exec-turn.ts';
import { listedModels } from './models.ts';
import { PatchEdits } from './patch-edits.ts';
import type { Limits } from './patience.ts';
import { promptOf } from './prompt.ts';
import { isMessage, RolloutTail } from './rollout-tail.ts';

export type CodexExecOptions = {
  /** Also of its thread. */
  sessionId: string;
  rolloutPath: string;
  codex: CodexPlace;
  versions: CodexVersions;
  /** Where the session works and what may be done there, as of now. Throws where nobody may work so. */
  held(): HeldAs;
  /** Where anything was said when the session was loaded. */
  spoken: boolean;
  model: string | null;
  effort: string | undefined;
  /** What the thread had used by then. */
  used: Usage;
  limits: Limits;
  /** Makes the session's file where there is none: Codex goes on in it. `paginated`: in its newer form. */
  prepareFile(paginated: boolean): Promise<void>;
  /** Saves that a message is about to be given to Codex, and how many bytes the session's file has. */
  giving(inputId: string, bytes: number): Promise<void>;
  host: BackendHost;
};

type Turn = { id: string; signal: AbortSignal; run: ExecTurn | null; total: Usage | null };

/** Since then files have the form that tells of all items. */
const PAGINATED = '0.171';

export class CodexExecBackend implements AgentBackend {
  #turn: Turn | null = null;
  #model: string | null;
  #shownModel: string | null;
  #effort: string | undefined;
  #spoken: boolean;
  #closed = false;
  /** Of the whole thread, as far as it was counted. */
  #used: Usage;
  readonly #warnings = new Set<string>();
  /** The whole output of the command that has just ended. */
  #output: { itemId: string; text: string } | null = null;

  constructor(private readonly options: CodexExecOptions) {
    this.#model = options.model;
    this.#shownModel = options.model;
    this.#effort = options.effort;
    this.#spoken = options.spoken;
    this.#used = options.used;
  }

  async runTurn(id: string, signal: AbortSignal): Promise<TurnOutcome> {
    const turn: Turn = { id, signal, run: null, total: null };
    this.#turn = turn;
    const stop = () => void turn.run?.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const failed = await this.#take(turn);
      const outcome = await this.#outcome(turn, failed);
      // what was done before it could be stopped is done
      return signal.aborted && outcome.status !== 'completed' ? { status: 'interrupted' } : outcome;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#turn = null;
      if (turn.total) this.#count(turn.total);
    }
  }

  /** Gives the first of them to Codex, with a turn of its own. Resolves once it is in the session's file. */
  async deliver([input]: readonly CodexInput[]): Promise<void> {
    const turn = this.#turn;
    if (!input) return;
    if (!turn || turn.run || turn.signal.aborted || this.#closed) throw idle();
    turn.run = await this.#start(turn, input);
    if (turn.signal.aborted) void turn.run.stop();
    await turn.run.said;
    this.#spoken = true;
  }

  hasConversation(): boolean {
    return this.#spoken;
  }

  /** Nobody is offered it: `codex exec` has no way to. */
  compact(): Promise<TurnOutcome> {
    throw new Error('codex exec sums nothing up when it is asked to');
  }

  fork(): null {
    return null;
  }

  async listModels(signal: AbortSignal): Promise<string[]> {
    return listedModels(this.options.codex, signal);
  }

  change({ model, effort }: BackendChange): () => void {
    return () => {
      if (model !== undefined) this.#model = model;
      this.#effort = effort;
    };
  }

  /** What is left running ends with its process. */
  background(): [] {
    return [];
  }

  async stopCommand(processId: string): Promise<void> {
    throw new Failure('notFound', 'exec.unknown', `No command ${processId} runs here any more.`);
  }

  async refreshEnvironment(): Promise<EnvironmentChange> {
    throw keptEnvironment();
  }

  output(itemId: string): string | null {
    return this.#output?.itemId === itemId ? this.#output.text : null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#turn?.run?.stop();
  }

  /** Why its message could not be handed over; null where it was, or there was none. */
  async #take(turn: Turn): Promise<unknown> {
    const { host } = this.options;
    try {
      // each message has a turn of its own
      await host.takeInputs(1);
      if (turn.run) await host.sending();
      return null;
    } catch (error) {
      // one whose message is not ours any more would work on, seen by nobody
      await turn.run?.stop();
      return error;
    } finally {
      turn.run?.letGo();
    }
  }

  async #outcome({ run, signal }: Turn, failed: unknown): Promise<TurnOutcome> {
    const outcome = await run?.ended;
    if (signal.aborted && outcome?.status !== 'completed') return { status: 'interrupted' };
    // how it has ended says more than that the message was not taken
    if (outcome && (failed === null || outcome.status === 'failed')) return outcome;
    if (failed === null) return { status: 'interrupted' };
    if (failed instanceof Failure) return { status: 'failed', error: problemOf(failed) };
    throw failed;
  }

  async #start(turn: Turn, { id, text, imagePaths }: CodexInput): Promise<ExecTurn> {
    const { codex, versions, held, sessionId, rolloutPath, prepareFile, giving, limits, host } = this.options;
    const program = codex.program();
    const version = await versions.of(program);
    const old = tooOld(version, 'exec');
    if (old) throw old;
    const settings = { held: held(), model: this.#model, effort: this.#effort };
    const args = execArguments({ ...settings, threadId: sessionId, imagePaths });
    await prepareFile(version === null || compare(version, PAGINATED) >= 0);
    const patches = new PatchEdits();
    const tail = RolloutTail.atEnd(rolloutPath, {
      said: (words) => {
        run?.recorded(isMessage(words, text));
      },
      model: (model) => this.#showModel(model),
      used: (request, total) => this.#requested(request, total),
      patched: (edits) => patches.add(edits),
    });
    const events = this.#events(turn, patches);
    await giving(id, tail.position);
    let run: ExecTurn | null = null;
    run = await ExecTurn.start(
      { place: { ...codex, program: () => program }, args, prompt: promptOf(text) },
      { events, readFile: () => tail.read(), limits, fault: (what, error) => host.fault(what, error) },
    );
    return run;
  }

  #showModel(model: string): void {
    if (model === this.#shownModel) return;
    this.#shownModel = model;
    this.options.host.emit({ type: 'session.updated', patch: { model } });
  }

  /** As the session's file tells. It tells so again where nothing has changed. */
  #requested(request: Usage, total: Usage): void {
    if (total.totalTokens === this.#used.totalTokens) return;
    this.#used = total;
    const { host } = this.options;
    // after a compaction there is an estimate of what the conversation takes, and no request
    if (request.inputTokens + request.outputTokens === 0) host.contextReplaced(request.totalTokens);
    else host.used(request, this.#shownModel ?? '');
  }

  /** As it is printed: what of it the file did not tell. */
  #count(total: Usage): void {
    const untold = minus(total, this.#used);
    this.#used = total;
    this.options.host.usedAside(untold, this.#shownModel ?? '');
  }

  #events(turn: Turn, patches: PatchEdits): ExecEvents {
    const { host, sessionId, held } = this.options;
    return new ExecEvents(
      turn.id,
      {
        emit: (event) => host.emit(event),
        thread: (id) => {
          // it would go on in somebody else's file
          if (id !== sessionId) turn.run?.fail(notResumed(`it began ${id} instead`));
        },
        total: (usage) => {
          turn.total = usage;
        },
        output: (itemId, text) => {
          this.#output = { itemId, text };
        },
        edits: (edits) => patches.of(edits),
        cwd: () => held().cwd,
        now: () => new Date().toISOString(),
      },
      this.#warnings,
    );
  }
}

function idle(): Failure {
  return new Failure('conflict', 'codex.idle', 'Codex has ended the turn; send it again.');
}
