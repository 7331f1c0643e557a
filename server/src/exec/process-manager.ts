/**
 * The commands of one session: starts them, knows which still run, and ends them. A command is a process group
 * of its own, so that ending it ends what it started.
 */
import type { BackgroundCommand } from '@tscodex/shared/events';

/** How a command ended: `exitCode` is null when a signal did it. */
export type Exit = { exitCode: number | null; signal: string | null };

export type CommandStart = {
  /** The line as people and the background list see it. */
  command: string;
  /** What is executed: the program and its arguments. */
  argv: readonly [string, ...string[]];
  /** Absolute; must exist. */
  cwd: string;
  env: Record<string, string>;
  /** A terminal (80 x 24) in place of pipes. */
  tty: boolean;
  turnId: string;
  itemId: string;
  /** Live output, joined (50 ms) and bounded the way `growOutput` expects: `skipped` bytes lie before `delta`. */
  onOutput(delta: string, skipped: number): void;
};

/** Output since the last read. `omitted` bytes between `head` and `tail` were not kept; without any, `tail` is empty. */
export type NewOutput = { head: string; tail: string; bytes: number; omitted: number };

export interface RunningProcess {
  /** What `write_stdin` and the background list know it by: a number in decimal. */
  readonly id: string;
  readonly itemId: string;
  readonly turnId: string;
  readonly command: string;
  readonly cwd: string;
  readonly tty: boolean;
  /** Set once it has ended and its output is complete. */
  readonly exit: Exit | null;
  /** True once somebody asked for its end. */
  readonly stopped: boolean;
  /** Resolves when it has ended and its last output was delivered. Never rejects. */
  readonly exited: Promise<Exit>;
  write(chars: string): void;
  readNew(): NewOutput;
  /** From now on it is listed as a background command: the call that started it has returned. */
  toBackground(): void;
}

export interface ProcessManager {
  /** Throws `unavailable` when it cannot be started and `tooMany` when 64 run already. */
  start(start: CommandStart): RunningProcess;
  get(processId: string): RunningProcess | undefined;
  /** What outlived the call that started it, oldest first. */
  list(): BackgroundCommand[];
  /** The kept output of a command (1 MiB at most), as long as it is remembered. */
  output(itemId: string): string | null;
  /** These send TERM to the group, KILL two seconds later, and resolve once the exits are confirmed. */
  stopTurn(turnId: string): Promise<void>;
  /** Throws `notFound`. */
  stop(processId: string): Promise<void>;
  stopAll(): Promise<void>;
}
