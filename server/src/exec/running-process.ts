/** One command: its output, its end, and what it leaves behind. */
import { setTimeout as delay } from 'node:timers/promises';
import type { BackgroundCommand } from '@tscodex/shared/events';
import { Failure, messageOf } from '../base/errors.ts';
import type { Channel, ChannelEvents, Exit, Program } from './channel.ts';
import type { InheritedDescriptors } from './inherited-descriptors.ts';
import { LiveOutput } from './live-output.ts';
import { type NewOutput, OutputBuffer } from './output-buffer.ts';
import { spawnPiped } from './pipe-channel.ts';
import type { PipeStore } from './pipe-store.ts';
import { endEnclosed, endSession, interruptEnclosed, leftBehind, signalGroup } from './process-group.ts';
import type { ProcessReader, ProcessState } from './process-list.ts';
import type { Confinement } from './sandbox/confinement.ts';
import type { PreparedProgram } from './sandbox/prepared-program.ts';
import type { Identity } from './sandbox/working-directory.ts';
import { signalName } from './signal-name.ts';
import { spawnInTerminal } from './terminal-channel.ts';

export type CommandStart = Program & {
  /** The line as people see it. */
  command: string;
  /** A terminal (80 x 24) in place of pipes. */
  tty: boolean;
  /** What it may touch; null: whatever the user may. */
  confinement: Confinement | null;
  /** A directory: where this server is root, the command runs as the owner of it. */
  asOwnerOf: string;
  /** Which directory `cwd` was when the command was judged; it starts in no other. */
  judged?: Identity;
  turnId: string;
  itemId: string;
  /** Live output, joined (50 ms) and bounded as `growOutput` expects: `skipped` bytes lie before `delta`. */
  onOutput(delta: string, skipped: number): void;
};

/** The end of a command that had outlived its call, while nobody has read it. */
export type BackgroundEnd = Pick<BackgroundCommand, 'processId' | 'itemId' | 'command'> & {
  exit: Exit;
  /** Set once its end was read after all. */
  read: boolean;
};

/** How often it is looked whether what a command left behind still runs. */
const LOOK_MS = 2000;
/** After this long a stop that has not ended the command is tried again. */
const AGAIN_MS = 200;
/** How often a command is started whose sandbox could not be set up. */
const MOST_TRIES = 3;

export class RunningProcess {
  readonly startedAt = new Date();
  /** Resolves when it has ended and its last output was delivered. Never rejects. */
  readonly exited: Promise<Exit>;

  #output = new OutputBuffer();
  #live: LiveOutput;
  #prepared: PreparedProgram;
  #channel: Channel;
  #tries = 1;
  #exit: Exit | null = null;
  #stopped = false;
  #announceExit: (exit: Exit) => void = () => undefined;
  #read = 0;
  #background = false;
  #unreadEnd: BackgroundEnd | null = null;
  #left: readonly ProcessState[] = [];
  #look: NodeJS.Timeout | undefined;
  #stopping: Promise<void> | undefined;

  /** Throws `unavailable` when it cannot be started. */
  constructor(
    /** What `write_stdin` and the background list know it by: a number in decimal. */
    readonly id: string,
    readonly start: Readonly<CommandStart>,
    private readonly prepare: () => PreparedProgram,
    private readonly equipment: {
      pipes: PipeStore;
      reader: ProcessReader;
      descriptors: InheritedDescriptors;
    },
    /** Called whenever `alive` or `inBackground` may have changed. */
    private readonly changed: (process: RunningProcess) => void,
  ) {
    this.#live = new LiveOutput(this.#output, start.onOutput);
    this.exited = new Promise((resolve) => {
      this.#announceExit = resolve;
    });
    this.#prepared = prepare();
    this.#channel = this.#open();
  }

  #open(): Channel {
    const { program, release } = this.#prepared;
    const output = this.#output;
    const events: ChannelEvents = {
      data: (chunk) => {
        if (output === this.#output) this.#grow(chunk);
      },
      exit: (exit) => void this.#finish(exit),
    };
    const alone = { ...program, argv: this.equipment.descriptors.keptFrom(program) };
    try {
      return (
        (this.start.tty ? spawnInTerminal(alone, events) : null) ??
        spawnPiped(alone, events, this.equipment.pipes)
      );
    } catch (error) {
      // why it could not be started is told
      release(null, () => '').catch(() => undefined);
      throw error;
    }
  }

  /** It leads a session and a process group of this number. */
  get pid(): number {
    return this.#channel.pid;
  }

  /** Set once it has ended and its output is complete. */
  get exit(): Exit | null {
    return this.#exit;
  }

  /** True once somebody asked for its end while it ran. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Whether it, or what it left behind in its group, runs. */
  get alive(): boolean {
    return this.exit === null || this.#left.length > 0;
  }

  /** Alive after the call that started it has returned. */
  get inBackground(): boolean {
    return this.alive && (this.#background || this.exit !== null);
  }

  /** Whether it really has a terminal: they are not available everywhere. */
  get tty(): boolean {
    return this.#channel.input !== null;
  }

  /** Set once it has ended in the background by itself, its last output not read. */
  get unreadEnd(): BackgroundEnd | null {
    return this.#unreadEnd?.read ? null : this.#unreadEnd;
  }

  get listed(): BackgroundCommand {
    const { itemId, command } = this.start;
    return { processId: this.id, itemId, command, startedAt: this.startedAt.toISOString() };
  }

  /** The call that started it returns while it runs. */
  toBackground(): void {
    this.#background = true;
    this.changed(this);
  }

  /** Types into its terminal; false where too much would wait to be read. Nothing happens where it has none. */
  write(chars: string): boolean {
    return this.#channel.input?.type(chars) ?? true;
  }

  /** Bytes that were typed and wait to be read, besides the few KiB that the terminal itself holds. */
  get unread(): number {
    return this.#channel.input?.waiting ?? 0;
  }

  /** Ctrl-C for a command without a terminal. */
  interrupt(): void {
    if (this.exit !== null) return;
    // where the processes cannot be read for the moment it can be pressed again
    if (this.#prepared.enclosed) interruptEnclosed(this.pid, this.equipment.reader).catch(() => undefined);
    else signalGroup(this.pid, 'SIGINT');
  }

  /** Output since the last read. */
  readNew(): NewOutput {
    const output = this.#output.read(this.#read);
    this.#read += output.bytes;
    if (this.#unreadEnd) this.#unreadEnd.read = true;
    return output;
  }

  /** All output that is kept, with a line that says how much is missing in its middle. */
  output(): string {
    const { head, tail, omitted } = this.#output.read(0);
    return omitted ? `${head}\n[${omitted} bytes were not kept]\n${tail}` : head;
  }

  /** Ends it and what it left behind; resolves once that is confirmed. Rejects where the processes cannot be read. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop().catch((error) => {
      this.#stopping = undefined;
      throw error;
    });
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    if (!this.alive) return;
    this.#stopped = this.exit === null;
    // an interactive shell ignores TERM but not the loss of its terminal; CONT wakes what was suspended
    const signals = this.tty
      ? (['SIGTERM', 'SIGHUP', 'SIGCONT'] as const)
      : (['SIGTERM', 'SIGCONT'] as const);
    do {
      await (this.#prepared.enclosed ? endEnclosed : endSession)(this.pid, signals, this.equipment.reader);
      // in a terminal it may have been forked only just now and lead no session yet: then nothing was found
    } while (!(await this.#endsWithin(AGAIN_MS)));
    if (this.#left.length) this.#letGo();
  }

  #endsWithin(ms: number): Promise<boolean> {
    return Promise.race([this.exited.then(() => true), delay(ms, false)]);
  }

  #grow(chunk: Buffer): void {
    if (this.exit) return;
    this.#output.append(chunk);
    this.#live.changed();
  }

  async #finish(ended: Exit): Promise<void> {
    const failure = await this.#release(ended);
    if (failure?.code === 'sandbox.start' && this.#startedAgain()) return;
    const exit = failure ? { ...ended, failure } : this.#asStopped(ended);
    this.#end(exit);
    this.#announceExit(exit);
  }

  async #release(ended: Exit): Promise<Failure | null> {
    try {
      return await this.#prepared.release(ended, () => this.output());
    } catch (error) {
      return new Failure(
        'unavailable',
        'exec.end',
        `the command has ended, but what it needed could not be tidied up: ${messageOf(error)}`,
        { cause: error },
      );
    }
  }

  /** Nothing has run; what was to be mounted may have vanished meanwhile, like the socket of another program. */
  #startedAgain(): boolean {
    if (this.#tries === MOST_TRIES || this.stopped) return false;
    this.#tries++;
    try {
      this.#prepared = this.prepare();
      this.#channel.close();
      this.#live.drop();
      this.#output = new OutputBuffer();
      this.#live = new LiveOutput(this.#output, this.start.onOutput);
      this.#read = 0;
      this.#channel = this.#open();
      return true;
    } catch {
      return false; // why the first start failed is told
    }
  }

  /** What is enclosed tells of the signal that ended it as a shell does. */
  #asStopped(exit: Exit): Exit {
    const signal = (exit.exitCode ?? 0) - 128;
    if (!this.stopped || !this.#prepared.enclosed || signal <= 0) return exit;
    return { exitCode: null, signal: signalName(signal) };
  }

  #end(exit: Exit): void {
    this.#output.finish();
    this.#live.finish();
    this.#exit = exit;
    if (this.#background && !this.#stopped) this.#unreadEnd = this.#asEnd(exit);
    this.#left = leftBehind(this.pid);
    if (!this.#left.length) {
      this.#letGo();
      return;
    }
    // it goes on writing to our pipe: without a reader its next line would kill it
    this.#look = setInterval(() => {
      this.#left = leftBehind(this.pid, this.#left);
      if (!this.#left.length) this.#letGo();
    }, LOOK_MS).unref();
    this.changed(this);
  }

  #asEnd(exit: Exit): BackgroundEnd {
    const { processId, itemId, command } = this.listed;
    return { processId, itemId, command, exit, read: false };
  }

  #letGo(): void {
    clearInterval(this.#look);
    this.#left = [];
    this.#channel.close();
    this.changed(this);
  }
}
