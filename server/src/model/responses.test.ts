import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { ProviderSettings } from '../base/config/model-config.ts';
import { userText } from '../base/response-items.ts';
import type { ModelEvent } from './client.ts';
import { ResponsesClient } from './responses.ts';
import {
  type Answer,
  collect,
  completed,
  delta,
  done,
  message,
  provider,
  request,
  settings,
  sse,
  status,
  stream,
} from './test-provider.ts';
import { Transport } from './transport.ts';

async function run(answer: Answer, more: Partial<ProviderSettings> = {}) {
  const { origin, seen } = await provider(answer);
  const client = new ResponsesClient(settings(`${origin}/v1`, more), '1.2.3');
  return { events: await collect(client.stream(request(), new AbortController().signal)), seen };
}

const USAGE = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, reasoningTokens: 0, totalTokens: 2 };
const OK: ModelEvent[] = [
  { type: 'text', itemId: 'msg_1', delta: 'ok' },
  {
    type: 'item',
    item: { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] },
  },
  { type: 'completed', usage: USAGE },
];

test('sends the request as Codex does', async () => {
  const { origin, seen } = await provider(stream(sse(completed())));
  const client = new ResponsesClient(
    settings(`${origin}/v1`, { headers: () => ({ 'X-Team': 'blue' }), queryParams: { 'api-version': '2' } }),
    '1.2.3',
  );
  const tool = { type: 'function', name: 't', description: 'd', parameters: {}, strict: false } as const;
  const wanted = request({ tools: [tool], effort: 'high', summary: 'auto', verbosity: 'low' });
  await collect(client.stream(wanted, new AbortController().signal));
  expect(seen[0]).toMatchObject({ method: 'POST', url: '/v1/responses?api-version=2' });
  expect(seen[0]?.body).toEqual({
    model: 'm1',
    instructions: 'Be brief.',
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
    tools: [tool],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    reasoning: { effort: 'high', summary: 'auto' },
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'session-1',
    text: { verbosity: 'low' },
  });
  const headers = seen[0]?.headers ?? {};
  expect(headers).toMatchObject({
    authorization: 'Bearer sk-secret-key',
    accept: 'text/event-stream',
    'content-type': 'application/json',
    originator: 'tscodex',
    'session-id': 'session-1',
    'thread-id': 'session-1',
    'x-client-request-id': 'session-1',
    'x-team': 'blue',
  });
  expect(headers['user-agent']).toMatch(/^tscodex\/1\.2\.3 \(\w+; \w+\)$/);
  expect(Object.keys(headers).filter((name) => /stainless|openai/.test(name))).toEqual([]);
});

test('a long conversation comes whole, and its length is told', async () => {
  const { origin, seen } = await provider(stream(sse(completed())));
  const client = new ResponsesClient(settings(`${origin}/v1`), '1.2.3');
  const input = Array.from({ length: 300 }, (_, n) => userText(`${n} ${'long ✓ '.repeat(1000)}`));
  await collect(client.stream(request({ input }), new AbortController().signal));
  expect(seen[0]?.body).toMatchObject({ model: 'm1', input, prompt_cache_key: 'session-1' });
  const { 'content-length': length, 'transfer-encoding': encoding } = seen[0]?.headers ?? {};
  expect(Number(length)).toBe(Buffer.byteLength(JSON.stringify(seen[0]?.body)));
  expect(encoding).toBeUndefined();
});

test('a server may refuse a long conversation before it has come whole', async () => {
  const server = createServer((incoming, response) => {
    incoming.once('data', () => {
      incoming.pause();
      const text = JSON.stringify({ error: { message: 'too much' } });
      response.writeHead(413, { 'content-type': 'application/json', connection: 'close' }).end(text);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const client = new ResponsesClient(settings(`http://127.0.0.1:${port}/v1`), '1.2.3');
  const input = Array.from({ length: 300 }, () => userText('long '.repeat(20_000)));
  const asked = collect(client.stream(request({ input }), new AbortController().signal));
  await expect(asked).rejects.toMatchObject({ reason: 'too-large' });
});

test('leaves out what is not set, and sends no key where there is none', async () => {
  const { seen } = await run(stream(sse(completed())), { apiKey: () => undefined });
  expect(Object.keys(seen[0]?.body ?? {}).sort()).toEqual(
    'include input instructions model parallel_tool_calls prompt_cache_key store stream'.split(' '),
  );
  expect(seen[0]?.headers.authorization).toBeUndefined();
});

test('O-G1: joins base_url and path', async () => {
  const { origin, seen } = await provider(stream(sse(completed())));
  const paths = [
    ['/v1', '/v1/responses'],
    ['/v1/', '/v1/responses'],
    ['/v1//', '/v1/responses'],
    ['/api/v1', '/api/v1/responses'],
    ['/v1?key=a%2Fb', '/v1/responses?key=a%2Fb'],
    ['/openai/deployments/d', '/openai/deployments/d/responses'],
    ['', '/responses'],
  ] as const;
  for (const [base] of paths) {
    const client = new ResponsesClient(settings(origin + base), '1');
    await collect(client.stream(request(), new AbortController().signal));
  }
  expect(seen.map((one) => one.url)).toEqual(paths.map(([, path]) => path));
  const { url } = new Transport(settings('http://[::1]:8080/v1/'), '1').asked('/responses', null);
  expect(url).toBe('http://[::1]:8080/v1/responses');
});

test('O-G1: a base_url without its path is told with the address that was tried, and what most end in', async () => {
  const { origin } = await provider(status(404, { detail: 'Not Found' }));
  const client = new ResponsesClient(settings(origin), '1');
  await expect(collect(client.stream(request(), new AbortController().signal))).rejects.toThrow(
    `(HTTP 404, ${origin}/responses): Not Found. Check model and base_url (most end in /v1).`,
  );
});

test('O-B1: no split of the body garbles a character', async () => {
  const body = new TextEncoder().encode(sse(delta('你好 🌍 é'), done(message('你好 🌍 é')), completed()));
  // inside of a character, and between the two ends of a line: `sse` is tested with every split
  const splits = [...body.keys()].filter((k) => ((body[k] ?? 0) & 0xc0) === 0x80 || body[k - 1] === 0x0a);
  const { origin } = await provider((response, n) => {
    const at = splits[n - 1] ?? 0;
    stream(body.slice(0, at), body.slice(at))(response, n);
  });
  const client = new ResponsesClient(settings(origin), '1');
  expect(splits.length).toBeGreaterThan(15);
  for (const at of splits) {
    const [first] = await collect(client.stream(request(), new AbortController().signal));
    expect(first, `split at ${at}`).toEqual({ type: 'text', itemId: 'msg_1', delta: '你好 🌍 é' });
  }
});

test('O-B2: every legal framing gives one answer from one request', async () => {
  const [D, I, E] = [delta('ok'), done(message('ok')), completed()].map((event) => JSON.stringify(event));
  const cut = D?.replace('{"type":', '{"type":\ndata: ');
  const bodies = [
    `data: ${D}\r\n\r\ndata: ${I}\r\n\r\ndata: ${E}\r\n\r\n`,
    `data:${D}\n\ndata:${I}\n\ndata:${E}\n\n`,
    `: keepalive\n\ndata: ${D}\n\n:\n\ndata: ${I}\n\n: ping\ndata: ${E}\n\n`,
    `event: response.output_text.delta\nid: 7\nretry: 10\ndata: ${D}\n\ndata: ${I}\n\ndata: ${E}\n\n`,
    `data: ${D}\n\ndata: ${I}\n\ndata: ${E}`,
    `data: ${D}\n\ndata: ${I}\n\ndata: ${E}\n`,
    `\ufeffdata: ${D}\n\ndata: ${I}\n\ndata: ${E}\n\n`,
    `data: ${cut}\n\ndata: ${I}\n\ndata: ${E}\n\n`,
    `data: ${D}\n\ndata:\n\ndata: ${I}\n\ndata: ${E}\n\n`,
  ];
  for (const body of bodies) {
    const { events, seen } = await run(stream(body));
    expect(events, body).toEqual(OK);
    expect(seen).toHaveLength(1);
  }
});

test('text is neither lost nor doubled, whichever events carry it', async () => {
  const [text, item, end] = OK;
  const cases: [unknown[], ModelEvent[]][] = [
    [[done(message('ok')), completed()], [item, end] as ModelEvent[]],
    [[completed([message('ok')])], [item, end] as ModelEvent[]],
    [[delta('ok'), completed([message('ok')])], OK],
    [[delta('ok'), done(message('ok')), completed([message('ok')])], OK],
    [[delta('ok'), done(message('ok')), completed([{ ...message('ok'), id: 'other' }])], OK],
    [[delta('ok'), completed()], OK],
  ];
  expect(text).toBeDefined();
  for (const [events, expected] of cases)
    expect((await run(stream(sse(...events)))).events, JSON.stringify(events)).toEqual(expected);
});

test('reasoning comes in parts, with or without their opening events', async () => {
  const summary = (part: number, text: string) => ({
    type: 'response.reasoning_summary_text.delta',
    item_id: 'rs_1',
    summary_index: part,
    delta: text,
  });
  const item = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'ab' }],
    encrypted_content: 'x',
  };
  const added = { type: 'response.reasoning_summary_part.added', item_id: 'rs_1', summary_index: 0 };
  const { events } = await run(
    stream(
      sse(
        added,
        summary(0, 'a'),
        summary(0, 'b'),
        summary(1, 'c'),
        { type: 'response.reasoning_text.delta', item_id: 'rs_1', delta: 'raw' },
        { type: 'response.brand_new', x: 1 },
        done(item),
        completed([item]),
      ),
    ),
  );
  expect(events).toEqual([
    { type: 'reasoning', itemId: 'rs_1', part: 'summary', delta: 'a', newPart: true },
    { type: 'reasoning', itemId: 'rs_1', part: 'summary', delta: 'b' },
    { type: 'reasoning', itemId: 'rs_1', part: 'summary', delta: 'c', newPart: true },
    { type: 'reasoning', itemId: 'rs_1', part: 'text', delta: 'raw' },
    { type: 'item', item },
    { type: 'completed', usage: USAGE },
  ]);
});

test('response.incomplete keeps what came and says why', async () => {
  const incomplete = {
    type: 'response.incomplete',
    response: { incomplete_details: { reason: 'max_output_tokens' }, output: [], usage: null },
  };
  const { events } = await run(stream(sse(delta('ok'), done(message('ok')), incomplete)));
  expect(events.at(-1)).toEqual({ type: 'completed', usage: null, incomplete: 'max_output_tokens' });
  expect(events).toHaveLength(3);
});

test('O-B5: a call’s arguments are JSON text, whatever came', async () => {
  const call = (args: unknown) => ({
    type: 'function_call',
    id: 'fc_1',
    call_id: 'c',
    name: 't',
    arguments: args,
  });
  const cases: [unknown, string][] = [
    ['', '{}'],
    ['  ', '{}'],
    [null, '{}'],
    [undefined, '{}'],
    ['{}', '{}'],
    [{}, '{}'],
    ['null', '{}'],
    [{ path: 'a' }, '{"path":"a"}'],
    ['{"pa', '{"pa'],
  ];
  for (const [sent, expected] of cases) {
    const { events } = await run(stream(sse(done(call(sent)), completed())));
    expect(events[0], String(sent)).toEqual({
      type: 'item',
      item: { type: 'function_call', id: 'fc_1', call_id: 'c', name: 't', arguments: expected },
    });
  }
});

test('tidies untidy items and keeps unknown ones', async () => {
  const made = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[\\w-]{36}$`));
  const { events } = await run(
    stream(
      sse(
        done({ type: 'message', content: 'plain' }),
        done({
          type: 'message',
          role: 'assistant',
          content: [{ type: 'refusal', refusal: 'no' }, { type: 'x' }],
        }),
        done({ type: 'custom_tool_call', call_id: 'c', name: 'n', input: null }),
        done({ type: 'web_search_call', id: 'w' }),
        done({ type: 'future', a: 1 }),
        done(null),
        completed(),
      ),
    ),
  );
  expect(events.slice(0, -1).map((event) => event.type === 'item' && event.item)).toEqual([
    {
      type: 'message',
      id: made('msg'),
      role: 'assistant',
      content: [{ type: 'output_text', text: 'plain' }],
    },
    { type: 'message', id: made('msg'), role: 'assistant', content: [{ type: 'output_text', text: 'no' }] },
    { type: 'custom_tool_call', id: made('ctc'), call_id: 'c', name: 'n', input: '' },
    { type: 'web_search_call', raw: { type: 'web_search_call', id: 'w' } },
    { type: 'other', raw: { type: 'future', a: 1 } },
  ]);
});

test('an abort ends the stream at once, with the signal’s reason', async () => {
  const closed = withResolvers();
  const { origin } = await provider((response) => {
    response.on('close', () => closed.resolve(undefined));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(sse(delta('ok')));
  });
  const controller = new AbortController();
  const reason = new Error('stopped by a person');
  const events = new ResponsesClient(settings(origin), '1').stream(request(), controller.signal);
  await expect(
    (async () => {
      for await (const _ of events) controller.abort(reason);
    })(),
  ).rejects.toBe(reason);
  await closed.promise;
});

test('a reader that leaves early ends the request', async () => {
  const closed = withResolvers();
  const { origin } = await provider((response) => {
    response.on('close', () => closed.resolve(undefined));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(sse(delta('ok')));
  });
  for await (const _ of new ResponsesClient(settings(origin), '1').stream(
    request(),
    new AbortController().signal,
  ))
    break;
  await closed.promise;
});

function withResolvers() {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test('lists models', async () => {
  const { origin, seen } = await provider(status(200, { object: 'list', data: [{ id: 'a' }, { id: 'b' }] }));
  const client = new ResponsesClient(settings(`${origin}/v1/?key=x`), '1');
  expect(await client.listModels(new AbortController().signal)).toEqual(['a', 'b']);
  expect(seen[0]).toMatchObject({ method: 'GET', url: '/v1/models?key=x' });
  const odd = await provider(status(200, '<html>'));
  await expect(
    new ResponsesClient(settings(odd.origin), '1').listModels(new AbortController().signal),
  ).rejects.toMatchObject({ reason: 'not-an-api' });
});
