/** The hooks of all sessions of a server: those of one follow one another, few run at once, none holds up a turn. */
import type { Hook } from '../../base/config/config-hooks.ts';
import { MARKER_VARIABLE } from '../../exec/environment.ts';
import { type HookFailure, runHook } from './hook-process.ts';

export type HookSettings = {
  /** Where hooks run: nothing there is an agent's. */
  cwd: string;
  /** The server's own environment. */
  env: Readonly<Record<string, string | undefined>>;
  /** Of this server: `sweep` finds by it what a crash has left. */
  marker: string;
};

/** On this server. */
const AT_ONCE = 4;
/** Of one session. */
const MOST_WAITING = 64;

/** How long the end of the server waits for those that tell of something else. */
const LEAST_FAREWELL_MS = 1000;
/** And for those that tell of a session's end, whatever time they have otherwise. */
const LONGEST_FAREWELL_MS = 10_000;

type Queue = { last: Promise<void>; waiting: number };

export class HookRunner {
  readonly #queues = new Map<string, Queue>();
  readonly #end = new AbortController();
  /** Those that wait until fewer run. */
  readonly #next: (() => void)[] = [];
  #running = 0;
  /** The longest time of a hook that tells of a session's end. */
  #farewellMs = LEAST_FAREWELL_MS;

  constructor(private readonly settings: HookSettings) {}

  /**
   * Runs it when those of the session before it have ended; `done` hears how it went. False: too many wait, it does
   * not run.
   */
  run(sessionId: string, hook: Hook, input: string, done: (failure: HookFailure | null) => void): boolean {
    const queue = this.#queues.get(sessionId) ?? { last: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= MOST_WAITING) return false;
    if (hook.event === 'session.closed')
      this.#farewellMs = Math.min(Math.max(this.#farewellMs, hook.timeoutMs), LONGEST_FAREWELL_MS);
    this.#queues.set(sessionId, queue);
    queue.waiting++;
    queue.last = queue.last.then(async () => {
      const failure = await this.#run(hook, input);
      queue.waiting--;
      if (queue.waiting === 0) this.#queues.delete(sessionId);
      if (failure !== 'skipped') done(failure);
    });
    return true;
  }

  /**
   * At the end of the server, once all sessions have left: waits for what runs, no longer than a hook that tells of
   * a session's end may take, ten seconds at the most, and then ends it.
   */
  async finish(): Promise<void> {
    const all = Promise.all([...this.#queues.values()].map(({ last }) => last));
    const timer = setTimeout(() => this.#end.abort(), this.#farewellMs);
    await all;
    clearTimeout(timer);
  }

  async #run(hook: Hook, input: string): Promise<HookFailure | null | 'skipped'> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#next.push(resolve));
    else this.#running++;
    try {
      if (this.#end.signal.aborted) return 'skipped';
      const { command, timeoutMs } = hook;
      const env = { ...hookEnvironment(this.settings.env), [MARKER_VARIABLE]: this.settings.marker };
      return await runHook({ command, input, timeoutMs, env, cwd: this.settings.cwd }, this.#end.signal);
    } finally {
      const next = this.#next.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

/** All that the server has but its own secrets, and what looks like the key of a provider that is not configured. */
function hookEnvironment(env: HookSettings['env']): Record<string, string> {
  const passes = (name: string) => !/^TSCODEX_|_API_KEY$/i.test(name);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && passes(name) ? [[name, value]] : [],
    ),
  );
}
