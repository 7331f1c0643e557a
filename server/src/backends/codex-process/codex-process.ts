/** One Codex app-server: started, greeted, ended with all that it has started. */
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { Failure } from '../../base/errors.ts';
import { unlessAborted } from '../../base/unless-aborted.ts';
import type { Notification } from '../codex-events/codex-events.ts';
import { CodexChild, type CodexPlace, codexEnded } from './codex-child.ts';
import { tooOld } from './codex-version.ts';
import { CodexConnection, type CodexRequest } from './connection.ts';

export type CodexProgram = CodexPlace & {
  version: string;
  /** For an answer that needs no model; half a minute where nothing is said. */
  answerMs?: number;
};

export type CodexListener = {
  notified(notification: Notification): void;
  /** Possibly before the start of the process is over: the answer goes to `connection`. */
  asked(request: CodexRequest, connection: CodexConnection): void;
  /** It has ended, whoever wanted it. */
  ended(why: Failure): void;
};

/** For an answer that needs no model. */
const ANSWER_MS = 30_000;

export class CodexProcess {
  readonly connection: CodexConnection;
  #why: Failure | null = null;

  private constructor(
    private readonly child: CodexChild,
    listener: CodexListener,
    private readonly answerMs: number,
  ) {
    this.connection = new CodexConnection(child.stdout, child.stdin, {
      notified: (notification) => listener.notified(notification),
      asked: (request) => listener.asked(request, this.connection),
    });
    void child.ended.then((exit) => {
      this.#why = codexEnded(exit);
      this.connection.end(this.#why);
      listener.ended(this.#why);
      // a wrapper that was killed leaves the program behind it
      child.endRest().catch(() => undefined); // nobody can say what runs; the next sweep looks again
    });
  }

  /**
   * Throws `codex.missing`, `codex.ended`, `codex.version` and `codex.silent`, and the reason of `stop`'s signal;
   * nothing runs then.
   */
  static async start(
    { version, answerMs = ANSWER_MS, ...place }: CodexProgram,
    listener: CodexListener,
    stop: { signal: AbortSignal; graceMs?: number } = { signal: new AbortController().signal },
  ): Promise<CodexProcess> {
    const child = await CodexChild.start(place, ['app-server', '--stdio']);
    const started = new CodexProcess(child, listener, answerMs);
    try {
      const clientInfo = { name: 'tscodex', title: 'tscodex', version };
      const capabilities = { experimentalApi: true, requestAttestation: false };
      const greeted = started.call('initialize', { clientInfo, capabilities });
      checkVersion(await unlessAborted(greeted, stop.signal));
      started.connection.notify('initialized');
      return started;
    } catch (error) {
      await started.end(stop.graceMs);
      throw error;
    }
  }

  get isGone(): boolean {
    return this.#why !== null;
  }

  /** As `connection.call`, of what needs no model. Rejects with `codex.silent` where no answer comes. */
  async call(method: string, params: object): Promise<unknown> {
    const over = new AbortController();
    const seconds = this.answerMs / 1000;
    const silent = delay(this.answerMs, undefined, { signal: over.signal }).then(() => {
      throw new Failure(
        'unavailable',
        'codex.silent',
        `Codex did not answer ${method} within ${seconds} seconds; send it again, or look after it where this server runs.`,
        { details: { method, seconds } },
      );
    });
    silent.catch(() => undefined); // nobody waits for it once the answer is there
    try {
      return await Promise.race([this.connection.call(method, params), silent]);
    } finally {
      over.abort();
    }
  }

  /** By steps, as `CodexChild.end`: it may write its end into the session's file first. */
  end(graceMs?: number): Promise<void> {
    return this.child.end(() => this.child.stdin.end(), graceMs);
  }
}

const greeting = z.object({ userAgent: z.string() });

/** `tscodex/0.171.0 (Debian …)`. One that does not say which it is, is taken. */
function checkVersion(answer: unknown): void {
  const said = greeting.safeParse(answer).data?.userAgent ?? '';
  const failure = tooOld(/\/(\d+\.\d+[\w.-]*)/.exec(said)?.[1], 'app-server');
  if (failure) throw failure;
}
