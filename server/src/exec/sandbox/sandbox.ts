/**
 * Confines commands by means of the operating system. One a server: whether this machine can do it is found out by
 * trying, and known from then on.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxProblem } from '@tscodex/shared/permissions';
import { Failure, messageOf } from '../../base/errors.ts';
import type { Program } from '../channel.ts';
import { InheritedDescriptors } from '../inherited-descriptors.ts';
import { PipeStore } from '../pipe-store.ts';
import type { Abilities } from './bubblewrap.ts';
import { enclose, type SystemCallFilters } from './confined-program.ts';
import type { Confinement } from './confinement.ts';
import { asOwner, environmentOf, type Owner, Owners } from './owner.ts';
import { Placeholders } from './placeholders.ts';
import type { PreparedProgram } from './prepared-program.ts';
import { PROBE_PLACE, type ProbeOutcome, probe, refused } from './sandbox-probe.ts';
import { inSeatbelt, probeSeatbelt } from './seatbelt-program.ts';
import { seccompFilter } from './seccomp.ts';
import { expectSame, holdDirectory, type Identity } from './working-directory.ts';

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
  /** Which directory its working directory was when it was judged; it starts in no other. */
  judged?: Identity;
};

/** Between a trial that fails and the one that counts. */
const LATER_MS = 1000;
const NO_FILTER = `no system calls are known by number on ${process.arch}`;

export class Sandbox {
  #problem: SandboxProblem | null = { kind: 'other', detail: 'it has not been tried yet' };
  #found: { abilities: Abilities; version: string } | null = null;
  #confined = false;
  #probing: Promise<void> | undefined;
  /** For the output of commands: they lie where no command sees them. */
  readonly pipes: PipeStore;
  /** Of this process: none of them may reach a command. */
  readonly descriptors = new InheritedDescriptors();
  /** Whose commands run where; known from the first look on. */
  readonly owners = new Owners();
  readonly #placeholders: Placeholders;
  readonly #filters = systemCallFilters();

  /** Confines nothing until it has been tried: see `open`. */
  constructor(private readonly options: SandboxOptions) {
    const { dir } = options;
    this.pipes = new PipeStore(join(dir, 'pipes'));
    this.#placeholders = new Placeholders(join(dir, 'placeholders.json'));
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

  /** Whether commands could be confined and cannot any more. */
  get lost(): boolean {
    return this.#confined && this.#problem !== null;
  }

  /**
   * Tries it out anew. Never rejects. Where commands could be confined, that is over only once it fails twice, and
   * not for want of room: a command may have brought that about. Then what is to be confined does not start.
   */
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
   * working directory that is hidden, `exec.owner` where it cannot run as the owner, `session.cwd-changed` and
   * `grants.changed` where something else is by now at a path that was judged.
   */
  prepare(
    program: Program,
    confinement: Confinement | null,
    { tty, asOwnerOf, judged }: Manner,
  ): PreparedProgram {
    const owner = this.owners.of(asOwnerOf);
    const own = owner ? { ...program, env: environmentOf(program.env, owner) } : program;
    if (!confinement) return judged ? this.#in(judged, own, owner, tty) : this.#free(own, owner, tty);
    // inside it may go wherever it likes: there the mounts are what counts
    if (judged) expectSame(program.cwd, judged);
    const { bwrap, dir } = this.options;
    if (this.#problem || !this.#found) throw this.#unavailable();
    if (process.platform === 'darwin') return inSeatbelt(own, confinement);
    if (!this.#filters) throw this.#unavailable();
    const { program: enclosed, release } = enclose(
      own,
      confinement,
      { tty, owner },
      {
        ...{ bwrap, dir, abilities: this.#found.abilities },
        ...{ placeholders: this.#placeholders, pipes: this.pipes, filters: this.#filters },
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

  #in(judged: Identity, program: Program, owner: Owner | null, tty: boolean): PreparedProgram {
    const { cwd, close } = holdDirectory(program.cwd, judged);
    try {
      const free = this.#free(program, owner, tty);
      const release: PreparedProgram['release'] = (...ended) => {
        close();
        return free.release(...ended);
      };
      return { ...free, program: { ...free.program, cwd }, release };
    } catch (error) {
      close();
      throw error;
    }
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
    const first = await this.#try();
    const outcome = first.problem && this.#found ? await this.#tryLater() : first;
    if (outcome.problem && outcome.passing && this.#found) return;
    const { problem, abilities, version } = outcome;
    this.#problem = problem;
    this.#confined ||= problem === null;
    this.#found = abilities && { abilities, version };
    if (JSON.stringify(problem) !== before) this.options.changed?.(problem);
  }

  async #tryLater(): Promise<ProbeOutcome> {
    await delay(LATER_MS);
    return this.#try();
  }

  async #try(): Promise<ProbeOutcome> {
    if (process.platform === 'darwin') return probeSeatbelt();
    if (process.platform !== 'linux')
      return refused({ kind: 'unsupported-system', detail: process.platform });
    const { bwrap, dir } = this.options;
    const filters = this.#filters;
    if (!filters) return refused({ kind: 'untested-architecture', detail: NO_FILTER });
    try {
      makeDirectory(dir);
      return await probe({ bwrap, dir, pipes: this.pipes, filters });
    } catch (error) {
      return refused({ kind: 'other', detail: messageOf(error) }, true);
    }
  }
}

/** null where there are none for this architecture. */
function systemCallFilters(): SystemCallFilters | null {
  const noUnixSockets = seccompFilter({ unixSockets: false });
  const unixSockets = seccompFilter({ unixSockets: true });
  return noUnixSockets && unixSockets && { noUnixSockets, unixSockets };
}

const LEFTOVER = new RegExp(`^(?:status-|environment-|${PROBE_PLACE})`);

/** What a crash has left: the files of single commands, and of a trial. */
function removeLeftovers(dir: string): void {
  if (!existsSync(dir)) return;
  const left = readdirSync(dir).filter((name) => LEFTOVER.test(name));
  for (const name of left) rmSync(join(dir, name), { recursive: true, force: true });
}

function makeDirectory(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
}
