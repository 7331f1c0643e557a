/** One Codex app-server: started, greeted, ended with all that it has started. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { Failure, messageOf } from '../../base/errors.ts';
import { signalGroup } from '../../exec/process-group.ts';
import type { Notification } from '../codex-events/codex-events.ts';
import { CodexConnection, type CodexRequest } from './connection.ts';

export type CodexProgram = {
  /** Absolute. Throws `codex.missing`. */
  program(): string;
  cwd: string;
  env: Record<string, string>;
  version: string;
};

export type CodexListener = {
  notified(notification: Notification): void;
  /** Possibly before the start of the process is over: the answer goes to `connection`. */
  asked(request: CodexRequest, connection: CodexConnection): void;
  /** It has ended, whoever wanted it. */
  ended(why: Failure): void;
};

/** The one that was tried, and the oldest that is taken. */
const TESTED = '0.171';
const OLDEST = [0, 171] as const;

/** For an answer that needs no model. */
const ANSWER_MS = 30_000;
/** Between the steps of an end. */
const GRACE_MS = 2000;
/** For its last words once it has exited. */
const DRAIN_MS = 500;
const STDERR_KEPT = 2000;

export class CodexProcess {
  readonly connection: CodexConnection;
  readonly #exited: Promise<unknown>;
  #stderr = '';
  #why: Failure | null = null;

  private constructor(
    private readonly child: CodexChild,
    listener: CodexListener,
  ) {
    this.connection = new CodexConnection(child.stdout, child.stdin, {
      notified: (notification) => listener.notified(notification),
      asked: (request) => listener.asked(request, this.connection),
    });
    child.stderr.setEncoding('utf8');
    child.stderr.on('error', () => undefined);
    child.stderr.on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    this.#exited = once(child, 'close').then(
      () => undefined,
      () => undefined,
    );
    const ended = (error?: Error) => {
      if (this.#why) return;
      this.#why = this.#whyEnded(error);
      this.connection.end(this.#why);
      listener.ended(this.#why);
    };
    child.on('error', ended);
    child.on('close', () => ended());
    child.on('exit', () => closeSoon(child));
  }

  /** Throws `codex.missing`, `codex.ended`, `codex.version` and `codex.silent`; nothing runs then. */
  static async start(
    { program, cwd, env, version }: CodexProgram,
    listener: CodexListener,
  ): Promise<CodexProcess> {
    const child = await spawned(program(), { cwd, env });
    const started = new CodexProcess(child, listener);
    try {
      const clientInfo = { name: 'tscodex', title: 'tscodex', version };
      const capabilities = { experimentalApi: true, requestAttestation: false };
      checkVersion(await started.call('initialize', { clientInfo, capabilities }));
      started.connection.notify('initialized');
      return started;
    } catch (error) {
      await started.end();
      throw error;
    }
  }

  get isGone(): boolean {
    return this.#why !== null;
  }

  /** As `connection.call`, of what needs no model. Rejects with `codex.silent` where no answer comes. */
  async call(method: string, params: object): Promise<unknown> {
    const over = new AbortController();
    const silent = delay(ANSWER_MS, undefined, { signal: over.signal }).then(() => {
      throw new Failure(
        'unavailable',
        'codex.silent',
        `Codex did not answer ${method} within ${ANSWER_MS / 1000} seconds; send it again, or look after it where this server runs.`,
        { details: { method, seconds: ANSWER_MS / 1000 } },
      );
    });
    silent.catch(() => undefined); // nobody waits for it once the answer is there
    try {
      return await Promise.race([this.connection.call(method, params), silent]);
    } finally {
      over.abort();
    }
  }

  /** By steps: it may write its end into the session's file first. Resolves once it has ended. */
  async end(): Promise<void> {
    const { pid } = this.child;
    if (pid === undefined) return;
    this.child.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#hasExited()) break;
      signalGroup(pid, signal);
    }
    await this.#exited;
    // what it has left behind
    signalGroup(pid, 'SIGKILL');
  }

  async #hasExited(): Promise<boolean> {
    const over = new AbortController();
    const late = delay(GRACE_MS, false, { signal: over.signal }).catch(() => false);
    const exited = await Promise.race([this.#exited.then(() => true), late]);
    over.abort();
    return exited;
  }

  #whyEnded(error?: Error): Failure {
    const { exitCode, signalCode } = this.child;
    const how = error ? messageOf(error) : signalCode ? `by ${signalCode}` : `with exit code ${exitCode}`;
    return hasEnded(how, plain(this.#stderr).trim().split('\n').at(-1) ?? '');
  }
}

type CodexChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** Where the system has no process or no file for it left, there is a child without a pid, and without pipes. */
async function spawned(
  program: string,
  place: { cwd: string; env: Record<string, string> },
): Promise<CodexChild> {
  try {
    // a group of its own: it is ended with all that it has started
    const child = spawn(program, ['app-server', '--stdio'], {
      ...{ ...place, detached: true, stdio: ['pipe', 'pipe', 'pipe'] },
    });
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    return child;
  } catch (error) {
    throw hasEnded(messageOf(error), '');
  }
}

/** What it has left behind may hold its pipes: its end is not waited for. */
function closeSoon(child: CodexChild): void {
  const timer = setTimeout(() => {
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  }, DRAIN_MS);
  child.once('close', () => clearTimeout(timer));
}

function hasEnded(how: string, last: string): Failure {
  return new Failure(
    'unavailable',
    'codex.ended',
    `Codex has ended (${how})${last && `: ${last}`}. The next message starts it again.`,
    { details: { how, last } },
  );
}

const greeting = z.object({ userAgent: z.string() });

/** `tscodex/0.171.0 (Debian …)`. One that does not say which it is, is taken. */
function checkVersion(answer: unknown): void {
  const said = greeting.safeParse(answer).data?.userAgent ?? '';
  const [, version, major, minor] = /\/((\d+)\.(\d+)[\w.-]*)/.exec(said) ?? [];
  if (version === undefined) return;
  const [oldMajor, oldMinor] = OLDEST;
  if (Number(major) > oldMajor || (Number(major) === oldMajor && Number(minor) >= oldMinor)) return;
  throw new Failure(
    'unavailable',
    'codex.version',
    `Codex ${version} is too old: ${TESTED} is the oldest that works here. Update it: npm install -g @openai/codex`,
    { details: { version, oldest: TESTED } },
  );
}

/** Without colours. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are
  return text.replace(/\u001b\[[\d;]*m/g, '');
}
