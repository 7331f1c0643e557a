/** One turn of `codex exec`: its process, what that prints, and what it writes into the session's file meanwhile. */
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { TurnOutcome } from '../../agent/turn.ts';
import { type Deferred, deferred } from '../../base/deferred.ts';
import { Failure, problemOf } from '../../base/errors.ts';
import { parsedLine, readLines } from '../../base/lines.ts';
import type { ExecEvents } from '../codex-events/exec-events.ts';
import { CodexChild, type CodexExit, type CodexPlace } from '../codex-process/codex-child.ts';
import { exitError } from './exit.ts';
import { type Limits, Patience } from './patience.ts';

/** After Stop, for the end that it writes into the session's file. */
const STOP_MS = 5000;
/** After the end of its turn, for its own. */
const EXIT_MS = 10_000;
/** Between looks for the message in the file. */
const LOOK_MS = 50;
/** Lines that wait until its message is shown. */
const MOST_WAITING = 50_000;
/** Characters of a line that it prints. */
const LINE_LIMIT = 64 * 1024 * 1024;

export type ExecCall = { place: CodexPlace; args: readonly string[]; prompt: string };

export type ExecTurnPorts = {
  events: ExecEvents;
  /** Takes what it has written meanwhile. */
  readFile(): Promise<void>;
  limits: Limits;
  fault(what: string, error: unknown): void;
};

const threadStarted = z.looseObject({ type: z.literal('thread.started') });
const turnStarted = z.looseObject({ type: z.literal('turn.started') });

export class ExecTurn {
  /** Resolves once nothing of it runs any more, and `letGo` was called. */
  readonly ended: Promise<TurnOutcome>;
  readonly #said: Deferred<void> = deferred();
  readonly #shown: Deferred<void> = deferred();
  readonly #patience: Patience;
  /** What it prints, one after another: first once the message that it answers is shown. */
  #taken: Promise<void> = this.#shown.promise;
  readonly #lines: unknown[] = [];
  #failure: Failure | null = null;
  #stopping: Promise<void> | null = null;
  #exitTimer: NodeJS.Timeout | null = null;
  #gone = false;
  /** Whether its turn has begun, and whether anything was recorded as said. */
  #begun = false;
  #recorded = false;

  private constructor(
    private readonly child: CodexChild,
    private readonly ports: ExecTurnPorts,
  ) {
    this.#said.promise.catch(() => undefined); // nobody may be waiting yet
    this.#patience = new Patience(ports.limits, (why) => this.fail(why));
    readLines(child.stdout, (line) => this.#heard(parsedLine(line)), LINE_LIMIT);
    this.ended = this.#end();
    this.ended.catch(() => undefined); // as above
  }

  /** Throws `codex.missing` and `codex.ended`. */
  static async start({ place, args, prompt }: ExecCall, ports: ExecTurnPorts): Promise<ExecTurn> {
    const child = await CodexChild.start(place, args);
    const turn = new ExecTurn(child, ports);
    // it waits for more as long as this stays open
    child.stdin.end(prompt);
    void turn.#look();
    return turn;
  }

  /** Resolves once the message stands in the session's file; rejects where it never will. */
  get said(): Promise<void> {
    return this.#said.promise;
  }

  /**
   * A message was recorded; `same`: in the words of ours. Where Codex has written it in others it is ours as well: once
   * its turn has begun it holds the file, and nobody else writes there.
   */
  recorded(same: boolean): void {
    this.#recorded = true;
    if (same || this.#begun) this.#said.resolve();
  }

  /** The message is shown, or never will be: what came after it follows. */
  letGo(): void {
    this.#shown.resolve();
  }

  /** Ends it by steps. Resolves once nothing of it runs any more. */
  stop(): Promise<void> {
    this.#stopping ??= this.child
      .end(() => this.child.signal('SIGINT'), STOP_MS)
      .catch((error) => this.ports.fault('end codex exec', error));
    return this.#stopping;
  }

  /** Ends it for this reason, which is how the turn has ended then. */
  fail(why: Failure): void {
    this.#failure ??= why;
    void this.stop();
  }

  #heard(line: unknown): void {
    // garbage waits for nothing
    if (line === null) return;
    if (turnStarted.safeParse(line).success) {
      this.#begun = true;
      if (this.#recorded) this.#said.resolve();
    }
    // in the wrong thread nothing is to happen
    if (threadStarted.safeParse(line).success) this.#take(line);
    else if (this.#lines.length === MOST_WAITING) this.fail(flood());
    else if (this.#lines.push(line) === 1) this.#taken = this.#taken.then(() => this.#takeAll());
  }

  async #takeAll(): Promise<void> {
    await this.#readFile();
    for (const line of this.#lines.splice(0)) this.#take(line);
  }

  /** Never throws: what one line breaks is not the end of the others. */
  #take(line: unknown): void {
    const { events, fault } = this.ports;
    try {
      events.take(line);
    } catch (error) {
      fault('take a line of codex exec', error);
    }
    if (this.#gone) return;
    if (events.outcome) {
      this.#patience.end();
      this.#exitTimer ??= setTimeout(() => void this.stop(), EXIT_MS);
    } else this.#patience.heard({ waiting: events.retrying, working: events.working });
  }

  async #look(): Promise<void> {
    let found = false;
    void this.said.then(
      () => {
        found = true;
      },
      () => undefined,
    );
    while (!found && !this.#gone) {
      await delay(LOOK_MS);
      await this.#readFile();
    }
  }

  async #end(): Promise<TurnOutcome> {
    const exit = await this.child.ended;
    this.#gone = true;
    this.#patience.end();
    if (this.#exitTimer) clearTimeout(this.#exitTimer);
    // a wrapper that was killed leaves Codex behind it
    await (this.#stopping ?? this.child.endRest());
    await this.#readFile();
    const { code, message, details } = exitError(exit);
    this.#said.reject(this.#failure ?? new Failure('unavailable', code, message, details && { details }));
    await this.#shown.promise;
    await this.#taken;
    this.ports.events.end();
    return this.#outcome(exit);
  }

  #outcome(exit: CodexExit): TurnOutcome {
    if (this.#failure) return { status: 'failed', error: problemOf(this.#failure) };
    return this.ports.events.outcome ?? { status: 'failed', error: exitError(exit) };
  }

  async #readFile(): Promise<void> {
    await this.ports.readFile().catch((error) => this.ports.fault('read what Codex has written', error));
  }
}

function flood(): Failure {
  return new Failure(
    'unavailable',
    'codex.flood',
    'Codex says more than anybody can take, and was stopped; send it again.',
  );
}
