import { expect, test } from 'vitest';
import type { ModelClient, ModelEvent } from './client.ts';
import { ModelFailure } from './client.ts';
import { type RetryOptions, withRetries } from './retry.ts';

const request = { model: 'm', instructions: '', input: [], tools: [], cacheKey: 's' };
const completed: ModelEvent = { type: 'completed', usage: null };
const text: ModelEvent = { type: 'text', itemId: 'i', delta: 'a' };

/** A client whose n-th attempt ends as the n-th entry says: with a failure, or well. */
function scripted(...ends: (Error | null)[]): ModelClient & { attempts: number } {
  return {
    provider: 'test',
    attempts: 0,
    async *stream() {
      const end = ends[this.attempts++] ?? null;
      yield text;
      if (end) throw end;
      yield completed;
    },
    listModels: async () => ['m'],
  };
}

/** Time that moves only by sleeping. */
function clock() {
  const slept: number[] = [];
  let time = 0;
  const options: RetryOptions = {
    max: 5,
    random: () => 0,
    now: () => time,
    sleep: async (ms) => {
      slept.push(ms);
      time += ms;
    },
  };
  return { slept, options };
}

async function run(client: ModelClient, options: RetryOptions, signal = new AbortController().signal) {
  const events: ModelEvent[] = [];
  let failure: unknown;
  try {
    for await (const event of withRetries(client, options).stream(request, signal)) events.push(event);
  } catch (error) {
    failure = error;
  }
  return { events, failure };
}

const server = new ModelFailure('server', 'it failed', { retryable: true, httpStatus: 500 });
const asking = (retryAfterMs: number) =>
  new ModelFailure('rate-limit', 'slow', { retryable: true, retryAfterMs });

test('tells of each retry before it waits, twice as long each time', async () => {
  const { slept, options } = clock();
  const { events, failure } = await run(scripted(server, server, server), options);
  const retrying = (attempt: number, delayMs: number) =>
    ({ type: 'retrying', attempt, max: 5, delayMs, httpStatus: 500, message: 'it failed' }) as const;
  expect(events).toEqual([
    text,
    retrying(1, 100),
    text,
    retrying(2, 200),
    text,
    retrying(3, 400),
    text,
    completed,
  ]);
  expect(slept).toEqual([100, 200, 400]);
  expect(failure).toBeUndefined();
});

test('jitter adds up to the same again, and a wait is never over half a minute', async () => {
  const { slept, options } = clock();
  const ends = Array.from({ length: 20 }, () => server);
  await run(scripted(...ends), { ...options, max: 12, random: () => 0.5 });
  expect(slept.slice(0, 3)).toEqual([150, 300, 600]);
  expect(Math.max(...slept)).toBe(22_500);
});

test('gives up after `max` retries with the last failure', async () => {
  const { options } = clock();
  const client = scripted(server, server, server);
  const { failure } = await run(client, { ...options, max: 2 });
  expect(failure).toBe(server);
  expect(client.attempts).toBe(3);
  expect((await run(scripted(server), { ...options, max: 0 })).events).toEqual([text]);
});

test('waits as long as it is asked to, within reason', async () => {
  const { slept, options } = clock();
  await run(scripted(asking(7000)), options);
  expect(slept).toEqual([7000]);
  const patient = scripted(asking(3_600_000));
  expect((await run(patient, options)).failure).toMatchObject({ reason: 'rate-limit' });
  expect(patient.attempts).toBe(1);
});

test('begins no retry after the deadline', async () => {
  const { slept, options } = clock();
  const client = scripted(asking(60_000), asking(60_000), asking(60_000));
  expect((await run(client, { ...options, deadlineMs: 130_000 })).failure).toMatchObject({
    reason: 'rate-limit',
  });
  expect(slept).toEqual([60_000, 60_000]);
});

test('what a retry will not mend is passed on at once', async () => {
  const { options } = clock();
  for (const error of [new ModelFailure('auth', 'no'), new Error('a bug')]) {
    const client = scripted(error);
    expect((await run(client, options)).failure).toBe(error);
    expect(client.attempts).toBe(1);
  }
});

test('an abort ends the wait at once, with the signal’s reason', async () => {
  const controller = new AbortController();
  const reason = new Error('stopped by a person');
  const client = scripted(asking(100_000));
  const events = withRetries(client, { max: 5 }).stream(request, controller.signal);
  await expect(
    (async () => {
      for await (const event of events)
        if (event.type === 'retrying') setImmediate(() => controller.abort(reason));
    })(),
  ).rejects.toBe(reason);
  expect(client.attempts).toBe(1);
});

test('passes the rest through', async () => {
  const client = withRetries(scripted(), { max: 1 });
  expect(client.provider).toBe('test');
  expect(await client.listModels(new AbortController().signal)).toEqual(['m']);
});
