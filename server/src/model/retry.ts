/** Tries again what may succeed later. The only retries there are: the SDK's are off. */
import { setTimeout as after } from 'node:timers/promises';
import type { ModelClient, ModelEvent, ModelRequest } from './client.ts';
import { ModelFailure } from './client.ts';

export type RetryOptions = {
  /** Retries after the first attempt, at the most. */
  max: number;
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
  const { max, deadlineMs = DEADLINE_MS, now = Date.now, sleep = sleepFor } = options;
  let deadline: number | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      yield* client.stream(request, signal);
      return;
    } catch (error) {
      if (!(error instanceof ModelFailure) || !error.retryable || attempt > max) throw error;
      deadline ??= now() + deadlineMs;
      const delayMs = delayFor(error, attempt, options);
      if (delayMs > MAX_ASKED_MS || now() + delayMs > deadline) throw error;
      yield retrying(error, { attempt, max, delayMs });
      await sleep(delayMs, signal).catch(() => signal.throwIfAborted());
    }
  }
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
