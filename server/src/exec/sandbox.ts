/**
 * Confines commands by means of the operating system. One a server: whether this machine can do it is found out by
 * trying, and known from then on.
 */
import type { SandboxProblem } from '@tscodex/shared/permissions';
import { Failure } from '../base/errors.ts';
import type { Program } from './channel.ts';
import type { Confinement } from './confinement.ts';

export type SandboxOptions = {
  /** The bubblewrap to use, absolute. */
  bwrap: string;
  /** A directory of this server's own: created where it is missing, closed to others. */
  dir: string;
  /** Called when `problem` has become another. */
  changed?(problem: SandboxProblem | null): void;
};

/** What was found out about the machine; null where nothing confines. */
export type SandboxFacts = {
  /** As `bwrap --version` says it. */
  version: string;
  /** Whether commands have a /proc of their own. Otherwise they see the processes of others, and cannot touch them. */
  proc: boolean;
  /** Whether the kernel itself keeps commands from making namespaces; otherwise the filter alone does. */
  namespacesOff: boolean;
};

/** How a program is to run. */
export type Manner = {
  /** In a terminal: Ctrl-C reaches the program, and job control works. */
  tty: boolean;
  /** A directory: where this server is root, the program runs as the owner of it. */
  asOwnerOf: string;
};

/** A program that is ready to be started as it stands. */
export type PreparedProgram = {
  program: Program;
  /** Whether all it starts ends with it, wherever it has gone, and signals to it are for its insides. */
  enclosed: boolean;
  /**
   * To be called once, after its end (or where it was not started after all). Resolves once nothing of it runs and
   * what it needed is tidied up, with why the sandbox could not be set up, if it could not: then nothing has run.
   */
  release(): Promise<Failure | null>;
};

export class Sandbox {
  readonly #problem: SandboxProblem | null = { kind: 'other', detail: 'it has not been tried yet' };

  /** Confines nothing until it has been tried: see `open`. */
  constructor(private readonly options: SandboxOptions) {}

  /** Tries it out. Never throws: what is wrong is the `problem`. */
  static async open(options: SandboxOptions): Promise<Sandbox> {
    const sandbox = new Sandbox(options);
    await sandbox.again();
    return sandbox;
  }

  /** Why commands cannot be confined; null: they can. */
  get problem(): SandboxProblem | null {
    return this.#problem;
  }

  get facts(): SandboxFacts | null {
    return null;
  }

  /** Tries it out anew. */
  async again(): Promise<void> {}

  /**
   * Makes of a program what runs it confined (`null`: not confined), as the owner that `manner` says. Throws
   * `Failure`: `sandbox.unavailable` where this machine cannot confine, `sandbox.root` for a place to write that has
   * vanished or can never be one, `sandbox.protected` for a protected place that cannot be, `sandbox.cwd` for a
   * working directory that is hidden, `exec.owner` where it cannot run as the owner.
   */
  prepare(program: Program, confinement: Confinement | null, _manner: Manner): PreparedProgram {
    if (confinement)
      throw new Failure('unavailable', 'sandbox.unavailable', 'commands cannot be confined on this machine');
    return { program, enclosed: false, release: async () => null };
  }
}
