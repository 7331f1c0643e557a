/** Tries again what may succeed later. The only retries there are: the SDK's are off. */
import { setTimeout as after } from 'node:timers/promises';
import type { ModelClient, ModelEvent, ModelRequest } from './client.ts';
import { ModelFailure } from './client.ts';

export type RetryOptions = {
  /** Retries after the first attempt, at the most; those for which nobody was reached are not counted. */
  max: number;
  /** Of those, the ones after an answer with an error status. */
  requestMax?: number;
  /** The first wait; each further one is twice as long, up to `MAX_DELAY_MS`. */
  baseMs?: number;
  /** No retry begins later than this after the first failure: a provider that is down must end some time. */
  deadlineMs?: number;
  random?: () => number;
  now?: () => number;
  /** Rejects when the signal aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
};

const BASE_MS = 200;
const DEADLINE_MS = 600_000;
const MAX_DELAY_MS = 30_000;

/**
 * Retries while nobody is reached: about five minutes, in which a network comes back or a provider starts anew. Codex
 * waits for ever, so that a wrong address never ends. Whoever wants no retries at all has none of these either.
 */
const UNREACHED_MAX = 20;

/** What a provider may ask us to wait. Longer than this a person decides, so the failure is passed on. */
const MAX_ASKED_MS = 120_000;

/** `client`, retried: yields `retrying` before each wait, and throws the last failure when it gives up. */
export function withRetries(client: ModelClient, options: RetryOptions): ModelClient {
  return {
    provider: client.provider,
    listModels: (signal) => client.listModels(signal),
    stream: (request, signal) => retried(client, options, request, signal),
  };
}

async function* retried(
  client: ModelClient,
  options: RetryOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { deadlineMs = DEADLINE_MS, now = Date.now, sleep = sleepFor } = options;
  const retries = new Retries(options);
  let deadline: number | undefined;
  for (;;) {
    try {
      yield* client.stream(request, signal);
      return;
    } catch (error) {
      if (!(error instanceof ModelFailure) || !error.retryable) throw error;
      const next = retries.next(error);
      deadline ??= now() + deadlineMs;
      const delayMs = next && delayFor(error, next.attempt, options);
      if (!next || delayMs === null || delayMs > MAX_ASKED_MS || now() + delayMs > deadline) throw error;
      yield retrying(error, { ...next, delayMs });
      await sleep(delayMs, signal).catch(() => signal.throwIfAborted());
    }
  }
}

/** How many there were. */
class Retries {
  private unreached = 0;
  private refused = 0;
  private all = 0;

  constructor(private readonly options: Pick<RetryOptions, 'max' | 'requestMax'>) {}

  /** The number of the next after this failure, and of how many; null: there is none. */
  next(failure: ModelFailure): { attempt: number; max: number } | null {
    const { max, requestMax = max } = this.options;
    if (failure.unreached) return within(++this.unreached, max === 0 ? 0 : UNREACHED_MAX);
    const all = within(++this.all, max);
    if (failure.httpStatus === undefined) return all;
    return all && within(++this.refused, Math.min(max, requestMax));
  }
}

function within(attempt: number, max: number): { attempt: number; max: number } | null {
  return attempt <= max ? { attempt, max } : null;
}

/** Doubling, with half of it random, so that many clients do not come back at one moment. */
function delayFor(failure: ModelFailure, attempt: number, options: RetryOptions): number {
  const { baseMs = BASE_MS, random = Math.random } = options;
  if (failure.retryAfterMs !== undefined) return Math.ceil(failure.retryAfterMs);
  const full = Math.min(baseMs * 2 ** (attempt - 1), MAX_DELAY_MS);
  return Math.round(full / 2 + (full / 2) * random());
}

function retrying(
  failure: ModelFailure,
  about: { attempt: number; max: number; delayMs: number },
): ModelEvent {
  const { httpStatus, message } = failure;
  return { type: 'retrying', ...about, message, ...(httpStatus !== undefined && { httpStatus }) };
}

async function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  await after(ms, undefined, { signal });
}
