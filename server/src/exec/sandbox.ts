/**
 * Confines commands by means of the operating system. One a server: whether this machine can do it is found out by
 * trying, and known from then on.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxProblem } from '@tscodex/shared/permissions';
import { Failure, messageOf } from '../base/errors.ts';
import type { Abilities } from './bubblewrap.ts';
import type { Program } from './channel.ts';
import { enclose } from './confined-program.ts';
import type { Confinement } from './confinement.ts';
import { asOwner, environmentOf, type Owner, Owners } from './owner.ts';
import { PipeStore } from './pipe-store.ts';
import { Placeholders } from './placeholders.ts';
import type { PreparedProgram } from './prepared-program.ts';
import { type ProbeOutcome, probe } from './sandbox-probe.ts';
import { inSeatbelt, probeSeatbelt } from './seatbelt-program.ts';
import { seccompFilter } from './seccomp.ts';

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

export class Sandbox {
  #problem: SandboxProblem | null = { kind: 'other', detail: 'it has not been tried yet' };
  #found: { abilities: Abilities; version: string } | null = null;
  #probing: Promise<void> | undefined;
  /** For the output of commands: they lie where no command sees them. */
  readonly pipes: PipeStore;
  readonly #owners = new Owners();
  readonly #placeholders: Placeholders;
  readonly #filters: { noUnixSockets: string; unixSockets: string };

  /** Confines nothing until it has been tried: see `open`. */
  constructor(private readonly options: SandboxOptions) {
    const { dir } = options;
    this.pipes = new PipeStore(join(dir, 'pipes'));
    this.#placeholders = new Placeholders(join(dir, 'placeholders.json'));
    this.#filters = { noUnixSockets: join(dir, 'no-unix-sockets'), unixSockets: join(dir, 'unix-sockets') };
  }

  /** Tries it out. Never throws: what is wrong is the `problem`. */
  static async open(options: SandboxOptions): Promise<Sandbox> {
    const sandbox = new Sandbox(options);
    removeLeftovers(options.dir);
    await sandbox.again();
    return sandbox;
  }

  /** Why commands cannot be confined; null: they can. */
  get problem(): SandboxProblem | null {
    return this.#problem;
  }

  get facts(): SandboxFacts | null {
    if (!this.#found) return null;
    const { version, abilities } = this.#found;
    return { version, proc: abilities.proc !== null, namespacesOff: abilities.namespacesOff };
  }

  /** Tries it out anew. Never rejects. */
  again(): Promise<void> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  /**
   * Makes of a program what runs it confined (`null`: not confined), as the owner that `manner` says. Throws
   * `Failure`: `sandbox.unavailable` where this machine cannot confine, `sandbox.root` for a place to write that has
   * vanished or can never be one, `sandbox.protected` for a protected place that cannot be, `sandbox.cwd` for a
   * working directory that is hidden, `exec.owner` where it cannot run as the owner.
   */
  prepare(program: Program, confinement: Confinement | null, { tty, asOwnerOf }: Manner): PreparedProgram {
    const owner = this.#owners.of(asOwnerOf);
    const own = owner ? { ...program, env: environmentOf(program.env, owner) } : program;
    if (!confinement) return this.#free(own, owner, tty);
    const { bwrap, dir } = this.options;
    if (this.#problem || !this.#found) throw this.#unavailable();
    if (process.platform === 'darwin') return inSeatbelt(own, confinement);
    const { program: enclosed, release } = enclose(
      own,
      confinement,
      { tty, owner },
      {
        ...{ bwrap, dir, abilities: this.#found.abilities },
        ...{ placeholders: this.#placeholders, filters: this.#filters },
      },
    );
    return {
      ...{ program: enclosed, enclosed: true },
      release: async (exit, output) => {
        const failure = await release(exit, output);
        if (failure?.code === 'sandbox.start') await this.again();
        return failure;
      },
    };
  }

  #free(program: Program, owner: Owner | null, tty: boolean): PreparedProgram {
    if (!owner) return { program, enclosed: false, release: async () => null };
    makeDirectory(this.options.dir);
    const owned = asOwner(program, owner, { dir: this.options.dir, tty });
    const release = async () => {
      owned.tidy();
      return null;
    };
    return { program: owned.program, enclosed: false, release };
  }

  #unavailable(): Failure {
    const detail = this.#problem?.detail ?? '';
    return new Failure(
      'unavailable',
      'sandbox.unavailable',
      `nothing was run: this machine cannot confine commands (${detail})`,
      { details: { detail } },
    );
  }

  async #probe(): Promise<void> {
    const before = JSON.stringify(this.#problem);
    const { problem, abilities, version } = await this.#try();
    this.#problem = problem;
    this.#found = abilities && { abilities, version };
    if (JSON.stringify(problem) !== before) this.options.changed?.(problem);
  }

  async #try(): Promise<ProbeOutcome> {
    if (process.platform === 'darwin') return probeSeatbelt();
    if (process.platform !== 'linux') return refused('unsupported-system', process.platform);
    const { bwrap, dir } = this.options;
    try {
      if (!this.#writeFilters())
        return refused('untested-architecture', `no system calls are known by number on ${process.arch}`);
      return await probe({ bwrap, dir, filters: this.#filters });
    } catch (error) {
      return refused('other', messageOf(error));
    }
  }

  /** False where there is none for this architecture. */
  #writeFilters(): boolean {
    makeDirectory(this.options.dir);
    return Object.entries(this.#filters).every(([name, file]) => {
      const filter = seccompFilter({ unixSockets: name === 'unixSockets' });
      if (filter) writeFileSync(file, filter, { mode: 0o600 });
      return filter !== null;
    });
  }
}

/** What a crash has left: the files of single commands. */
function removeLeftovers(dir: string): void {
  if (!existsSync(dir)) return;
  const left = readdirSync(dir).filter((name) => /^(?:status|mounts|environment)-/.test(name));
  for (const name of left) rmSync(join(dir, name), { force: true });
}

function makeDirectory(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
}

function refused(kind: SandboxProblem['kind'], detail: string): ProbeOutcome {
  return { problem: { kind, detail }, abilities: null, version: null };
}
