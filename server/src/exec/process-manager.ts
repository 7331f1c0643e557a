/**
 * The commands of one session: starts them, knows which still run, and ends them. A command leads a process group
 * of its own, so that ending it ends what it started.
 */
import { randomInt } from 'node:crypto';
import type { BackgroundCommand } from '@tscodex/shared/events';
import { Failure } from '../base/errors.ts';
import type { CommandCeiling } from './command-ceiling.ts';
import { withMarker } from './environment.ts';
import { ProcessReader } from './process-list.ts';
import { type BackgroundEnd, type CommandStart, RunningProcess } from './running-process.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { sweep } from './sweep.ts';

const MOST_ALIVE = 64;
/** Ended commands whose last output can still be asked for; up to 1 MiB each. */
const ENDED_KEPT = 16;
/** How many commands back `stopAll` looks for what has left their group. */
const SESSIONS_KEPT = 1000;

export class ProcessManager {
  /** By id: those alive oldest first, the ended in the order of their ends. */
  readonly #processes = new Map<string, RunningProcess>();
  /** The sessions that commands have led (setsid), oldest first. */
  readonly #sessions = new Set<number>();
  readonly #reader = new ProcessReader();
  #listed = '';

  constructor(
    private readonly options: {
      /** Goes into the environment of every command: `sweep` finds by it what a crash has left. */
      marker: string;
      sandbox: Sandbox;
      ceiling: CommandCeiling;
      /** Called with `list()` whenever it has changed. */
      onBackground(commands: BackgroundCommand[]): void;
      /** Called when a command has ended in the background by itself; who waits for it may still read its end. */
      onEnd?(end: BackgroundEnd): void;
    },
  ) {}

  /**
   * Throws `unavailable` when the command cannot be started, `tooMany` when 64 of this session run already or too
   * many on this server, and what `Sandbox.prepare` throws.
   */
  start(start: CommandStart): RunningProcess {
    const alive = [...this.#processes.values()].filter((process) => process.alive);
    if (alive.length >= MOST_ALIVE)
      throw new Failure(
        'tooMany',
        'exec.tooMany',
        `${MOST_ALIVE} commands of this session still run: stop one before starting another`,
      );
    this.options.ceiling.check();
    const env = withMarker(start.env, this.options.marker, start.tty);
    const started = { ...start, env };
    const { sandbox } = this.options;
    const prepare = () => sandbox.prepare(started, start.confinement, start);
    const changed = (of: RunningProcess) => this.#changed(of);
    const { pipes, descriptors } = sandbox;
    const equipment = { pipes, descriptors, reader: this.#reader };
    const process = new RunningProcess(this.#newId(), started, prepare, equipment, changed);
    this.#processes.set(process.id, process);
    void process.exited.then(() => {
      if (process.unreadEnd) this.options.onEnd?.(process.unreadEnd);
    });
    this.options.ceiling.add(process);
    this.#sessions.add(process.pid);
    for (const oldest of [...this.#sessions].slice(0, -SESSIONS_KEPT)) this.#sessions.delete(oldest);
    return process;
  }

  get(processId: string): RunningProcess | undefined {
    return this.#processes.get(processId);
  }

  /** What outlived the call that started it, oldest first. */
  list(): BackgroundCommand[] {
    return [...this.#processes.values()]
      .filter((process) => process.inBackground)
      .map(({ listed }) => listed);
  }

  /** A command's kept output, 1 MiB at most, as long as it is remembered. */
  output(itemId: string): string | null {
    const process = [...this.#processes.values()].findLast(({ start }) => start.itemId === itemId);
    return process?.output() ?? null;
  }

  /**
   * Ends every command that was started in the turn, with what it left behind: TERM, two seconds later KILL.
   * Resolves once the exits are confirmed.
   */
  async stopTurn(turnId: string): Promise<void> {
    await this.#stopAll(({ start }) => start.turnId === turnId);
  }

  /** Ends one. Throws `notFound` when it does not run. */
  async stop(processId: string): Promise<void> {
    const process = this.get(processId);
    if (!process?.alive)
      throw new Failure(
        'notFound',
        'exec.unknown',
        `no command with the id ${processId} runs in this session`,
      );
    await process.stop();
  }

  /** Ends everything but what left its session on purpose (`setsid`). */
  async stopAll(): Promise<void> {
    await this.#stopAll(() => true);
    // `timeout` and job control make groups of their own, which outlive the group that is known
    if (this.#sessions.size) await sweep(this.options.marker, this.#sessions, this.#reader);
  }

  async #stopAll(which: (process: RunningProcess) => boolean): Promise<void> {
    await Promise.all([...this.#processes.values()].filter(which).map((process) => process.stop()));
  }

  #changed(process: RunningProcess): void {
    if (!process.alive) {
      this.options.ceiling.remove(process);
      // to the end: the order among the ended is that of their ends
      this.#processes.delete(process.id);
      this.#processes.set(process.id, process);
    }
    const ended = [...this.#processes.values()].filter((process) => !process.alive);
    for (const { id } of ended.slice(0, -ENDED_KEPT)) this.#processes.delete(id);
    const commands = this.list();
    const listed = commands.map(({ processId }) => processId).join();
    if (listed === this.#listed) return;
    this.#listed = listed;
    this.options.onBackground(commands);
  }

  /** Random, so that one from before a restart hardly ever names a new command. */
  #newId(): string {
    const id = String(randomInt(1000, 100_000));
    return this.#processes.has(id) ? this.#newId() : id;
  }
}
