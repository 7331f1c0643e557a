/** How a program is attached to this process: through pipes or through a terminal. */

import type { Failure } from '../base/errors.ts';

/**
 * How a program ended: `exitCode` is null when a signal did it. `failure`: it has not run at all, the sandbox could
 * not be set up or the program not be found in it.
 */
export type Exit = { exitCode: number | null; signal: string | null; failure?: Failure };

export type Program = {
  /** The program and its arguments. */
  argv: readonly [string, ...string[]];
  cwd: string;
  env: Record<string, string>;
  /** What it has open from 3 on, without a terminal; theirs who opened it. */
  descriptors?: readonly number[];
};

export type ChannelEvents = {
  /** The buffer is only valid during the call. */
  data(chunk: Buffer): void;
  /** Once, after the last data the program itself wrote. */
  exit(exit: Exit): void;
};

export interface Input {
  /** Bytes that were typed and are not written yet. */
  readonly waiting: number;
  /** False, and nothing is typed, where too much would wait. Once the program has ended nothing happens. */
  type(chars: string): boolean;
}

export interface Channel {
  /** The program leads a session and a process group of this number. */
  readonly pid: number;
  /** null: it has nothing to read from. */
  readonly input: Input | null;
  /** Lets go of the descriptors once the program has ended; what it left behind then writes into the void. */
  close(): void;
}
