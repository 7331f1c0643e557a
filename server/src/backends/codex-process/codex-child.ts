/** A process of Codex: started in a group of its own, ended by steps with all that it has started. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure, messageOf } from '../../base/errors.ts';
import { endProcesses, signalGroup } from '../../exec/process-group.ts';
import { ProcessReader } from '../../exec/process-list.ts';
import { carries } from '../../exec/sweep.ts';

export type CodexPlace = {
  /** Absolute. Throws `codex.missing`. */
  program(): string;
  cwd: string;
  env: Record<string, string>;
};

export type CodexExit = {
  /** `with exit code 1`, `by SIGKILL`, or why the system could not run it. */
  how: string;
  /** The same by itself. */
  details: { exitCode: number } | { signal: string } | { reason: string };
  /** The end of what it has said on stderr, without colours. It may hold secrets, and is told nobody. */
  stderr: string;
};

/** The variable that marks what one of them has started: found by it wherever it went, also once its parents are gone. */
const MARKER = 'TSCODEX_CODEX';
/** Between the steps of an end. */
const GRACE_MS = 2000;
/** For its last words once it has exited. */
const DRAIN_MS = 500;
const STDERR_KEPT = 16_384;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

export class CodexChild {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves once it has ended and all that it said has come. What it has left in its group may still run. */
  readonly ended: Promise<CodexExit>;
  /** Its session, and those that what it has started has begun. */
  readonly #sessions: Set<number>;
  readonly #processes = new ProcessReader();
  #stderr = '';

  private constructor(
    private readonly child: Child,
    private readonly pid: number,
    /** In the environment of all that it has started, unless that was given another one. */
    private readonly mark: string,
  ) {
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.#sessions = new Set([pid]);
    child.stderr.setEncoding('utf8');
    // whoever writes or reads learns from its end
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
    child.stderr.on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    child.on('exit', () => closeSoon(child));
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(this.#exit(messageOf(error))));
      child.once('close', () => resolve(this.#exit()));
    });
  }

  /** Throws `codex.missing` and `codex.ended`. */
  static async start({ program, cwd, env }: CodexPlace, args: readonly string[]): Promise<CodexChild> {
    const path = program();
    try {
      const mark = randomUUID();
      const marked = { ...env, [MARKER]: mark };
      // a group of its own: it is ended with all that it has started
      const child = spawn(path, args, { cwd, env: marked, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
      // where the system has no process or no file for it left, there is a child without a pid, and without pipes
      if (child.pid === undefined) throw (await once(child, 'error'))[0];
      return new CodexChild(child, child.pid, `${MARKER}=${mark}`);
    } catch (error) {
      throw codexEnded(couldNotRun(messageOf(error)));
    }
  }

  /**
   * `polite`: what it is asked with first; it may write its end into the session's file then. `graceMs`: between the
   * steps. Resolves once neither it nor anything it has started runs.
   */
  async end(polite: () => void = () => undefined, graceMs: number = GRACE_MS): Promise<void> {
    // what leaves its group is found as long as its parents are there
    await this.#lookBelow();
    polite();
    if (!(await this.#endsWithin(graceMs))) {
      await this.#lookBelow();
      this.signal('SIGTERM');
      if (!(await this.#endsWithin(graceMs))) this.signal('SIGKILL');
    }
    await this.ended;
    await this.endRest();
  }

  signal(name: NodeJS.Signals): void {
    signalGroup(this.pid, name);
  }

  /** Once it has ended: ends what it has left behind. */
  async endRest(): Promise<void> {
    if (process.platform === 'linux') {
      const left = async () =>
        (await this.#processes.read()).all.filter(
          ({ pid, session }) => this.#sessions.has(session) || carries(pid, this.mark),
        );
      await endProcesses(left, ['SIGTERM', 'SIGCONT']);
    }
    signalGroup(this.pid, 'SIGKILL');
  }

  async #lookBelow(): Promise<void> {
    if (process.platform !== 'linux') return;
    for (const { session } of (await this.#processes.read()).below(this.pid)) this.#sessions.add(session);
  }

  async #endsWithin(ms: number): Promise<boolean> {
    const over = new AbortController();
    const late = delay(ms, false, { signal: over.signal }).catch(() => false);
    const ended = await Promise.race([this.ended.then(() => true), late]);
    over.abort();
    return ended;
  }

  #exit(failed?: string): CodexExit {
    const { exitCode, signalCode } = this.child;
    const stderr = plain(this.#stderr).trim();
    if (failed !== undefined) return { ...couldNotRun(failed), stderr };
    if (signalCode) return { how: `by ${signalCode}`, details: { signal: signalCode }, stderr };
    return { how: `with exit code ${exitCode}`, details: { exitCode: exitCode ?? 0 }, stderr };
  }
}

function couldNotRun(reason: string): Omit<CodexExit, 'stderr'> {
  return { how: reason, details: { reason } };
}

export function codexEnded({ how, details }: Pick<CodexExit, 'how' | 'details'>): Failure {
  return new Failure(
    'unavailable',
    'codex.ended',
    `Codex has ended (${how}). The next message starts it again; where it ends again, run codex app-server by hand where this server runs, to see why.`,
    { details },
  );
}

/** What it has left behind may hold its pipes: its end is not waited for. */
function closeSoon(child: Child): void {
  const timer = setTimeout(() => {
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  }, DRAIN_MS);
  child.once('close', () => clearTimeout(timer));
}

/** Without colours. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are
  return text.replace(/\u001b\[[\d;]*m/g, '');
}
