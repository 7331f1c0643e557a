/**
 * Whole requests, as they go over the wire, against the files beside this one: what the model sees is compared in
 * full, so that no change of it goes unseen. `npx vitest run server/src/runtime/golden -u` writes them anew.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, expect } from 'vitest';
import type { Config } from '../../base/config/config.ts';
import { ResponsesClient } from '../../model/responses.ts';
import { completed, done, provider, settings, sse, stream } from '../../model/test-provider.ts';
import { message, openTestBox, type TestBox, Watcher } from '../test-session.ts';

/** One answer of the model, or what makes one when it is asked for. */
type Answer = unknown[] | (() => Promise<unknown[]>);

const boxes: TestBox[] = [];
afterEach(async () => {
  for (const box of boxes.splice(0)) {
    expect(box.faults).toEqual([]);
    await box.remove();
  }
});

/** A session with a model over HTTP; nobody is asked for anything. `requests` grows with each one that is sent. */
export async function goldenSession(model: string, answers: Answer[], config: Partial<Config> = {}) {
  const { origin, seen } = await provider(async (response, n) => {
    const answer = answers[n - 1] ?? [said('(no more answers)')];
    const items = typeof answer === 'function' ? await answer() : answer;
    stream(sse(...items.map(done), completed()))(response, n);
  });
  const box = await openTestBox({
    permissions: { sandbox: 'danger-full-access', approval: 'never', network: true },
    unattended: true,
    ...config,
  });
  boxes.push(box);
  const client = new ResponsesClient(settings(`${origin}/v1`), '1.2.3');
  const session = await box.load(await box.create(model), client);
  const watcher = new Watcher(session);
  return {
    ...{ box, session, watcher, requests: seen },
    send: (text: string, mode?: 'steer' | 'queue') => session.submit(message(text, mode), null),
    /** The request as it is compared: without what differs from run to run. */
    golden: (n: number) => comparable(seen[n], box.dir),
  };
}

export const said = (text: string) => ({
  ...{ type: 'message', id: 'msg_1', role: 'assistant' },
  content: [{ type: 'output_text', text, annotations: [] }],
});

export const called = (name: string, args: object) => ({
  ...{ type: 'function_call', id: 'fc_1', call_id: 'call_1', name },
  arguments: JSON.stringify(args),
});

export const calledWithText = (name: string, input: string) => ({
  ...{ type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name, input },
});

/** Fails where the request is not the one in `requests/NAME.json`. */
export async function expectGolden(name: string, request: unknown): Promise<void> {
  await expect(`${JSON.stringify(request, null, 2)}\n`).toMatchFileSnapshot(`requests/${name}.json`);
}

/** They are in the first request of a model's kind. */
export function withoutTools({ headers, body }: Record<string, unknown>): Record<string, unknown> {
  const { tools: _, input, ...rest } = body as { tools?: unknown; input: { type: string }[] };
  return { headers, body: { ...rest, input: input.filter(({ type }) => type !== 'additional_tools') } };
}

/** Headers of the transport, and the key. */
const NOT_OURS = /^(authorization|host|content-length|connection|accept-(language|encoding)|sec-fetch-mode)$/;

/** Of a text so much is compared. Whole prompts have their own tests. */
const TEXT_LIMIT = 160;

export function comparable(
  request: { headers: IncomingHttpHeaders; body: Record<string, unknown> } | undefined,
  dir: string,
): Record<string, unknown> {
  if (!request) throw new Error('no such request');
  const names = new Map<string, string>();
  const steady = (text: string) =>
    text
      .replaceAll(dir, '/box')
      .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => {
        names.set(id, names.get(id) ?? `uuid-${names.size + 1}`);
        return names.get(id) as string;
      })
      .replace(/(<(current_date|timezone|shell)>)[^<]*/g, '$1…')
      .replace(/Wall time: [\d.]+/g, 'Wall time: …')
      .replace(/^(tscodex\/\S+) \(\w+; \w+\)$/, '$1 (…)');
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return shortened(steady(given));
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, inner]) => [key, value(inner)]));
  };
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !NOT_OURS.test(name)),
  );
  return { headers: value(headers), body: value(request.body) } as Record<string, unknown>;
}

function shortened(text: string): string {
  return text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}…` : text;
}
