import { expect, test } from 'vitest';
import { readSse, type SseMessage, SseSyntaxError } from './sse.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

async function* chunks(...parts: (string | Uint8Array)[]) {
  for (const part of parts) yield typeof part === 'string' ? utf8(part) : part;
}

async function read(...parts: (string | Uint8Array)[]): Promise<SseMessage[]> {
  const messages: SseMessage[] = [];
  for await (const message of readSse(chunks(...parts))) messages.push(message);
  return messages;
}

const data = async (...parts: (string | Uint8Array)[]) => (await read(...parts)).map((m) => m.data);

test('O-B1: a character cut anywhere arrives whole', async () => {
  const body = utf8('data: {"delta":"你好 🌍 é"}\r\n\r\ndata: {"end":true}\n\n');
  const expected = [{ delta: '你好 🌍 é' }, { end: true }];
  for (let k = 1; k < body.length; k++) expect(await data(body.slice(0, k), body.slice(k))).toEqual(expected);
  expect(await data(...[...body].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
});

test('O-B2: legal but unusual framing', async () => {
  const bodies = [
    'data: {"n":1}\r\n\r\ndata: {"n":2}\r\n\r\n',
    'data:{"n":1}\n\ndata:{"n":2}\n\n',
    ': keepalive\n\ndata: {"n":1}\n\n:\n\n: ping\ndata: {"n":2}\n\n',
    'id: 7\nretry: 10\ndata: {"n":1}\n\ndata: {"n":2}\n\n',
    'data: {"n":1}\n\ndata: {"n":2}',
    'data: {"n":1}\n\ndata: {"n":2}\n',
    'data: {"n":1}\n\ndata: {"n":2}\r',
    '\ufeffdata: {"n":1}\n\ndata: {"n":2}\n\n',
    'data: {"n":\ndata: 1}\n\ndata: {"n":2}\n\n',
    'data: {"n":1}\n\ndata:\n\ndata: {"n":2}\n\ndata: [DONE]\n\n',
    'data: {"n":1}\r\rdata: {"n":2}\r\r',
    'unknown: x\ndata: {"n":1}\n\ndata: {"n":2}\n\n',
  ];
  for (const body of bodies) {
    expect(await data(body), body).toEqual([{ n: 1 }, { n: 2 }]);
    for (let k = 1; k < body.length; k++)
      expect(await data(body.slice(0, k), body.slice(k)), `${body} at ${k}`).toEqual([{ n: 1 }, { n: 2 }]);
  }
});

test('keeps the event field', async () => {
  expect(await read('event: error\ndata: {"a":1}\n\n')).toEqual([{ event: 'error', data: { a: 1 } }]);
});

test('a message is out as soon as it is whole', async () => {
  const messages = readSse(chunks('data: {"n":1}\n\n', 'data: {"n":'));
  expect(await messages.next()).toEqual({ done: false, value: { event: undefined, data: { n: 1 } } });
  await messages.return(undefined);
});

test('an event cut by the end of the stream is left out; nothing is nothing', async () => {
  expect(await data('data: {"n":1}\n\ndata: {"n"')).toEqual([{ n: 1 }]);
  expect(await data('')).toEqual([]);
});

test('garbage is named, shortly', async () => {
  await expect(read('data: {oops\n\n')).rejects.toThrow(new SseSyntaxError('{oops', false));
  await expect(read('data: {"n":1}\n\ndata: oops\n\n')).rejects.toThrow(SseSyntaxError);
  await expect(read('<html>\n<body>hi</body>')).rejects.toThrow(new SseSyntaxError('<html>', false));
  const long = await read(`data: ${'x'.repeat(500)}\n\n`).catch((error) => error);
  expect(long.excerpt).toBe(`${'x'.repeat(120)}…`);
});

test('O-B2: 64 MiB of small CRLF events, in linear time and constant memory', async () => {
  const event = utf8('data: {"type":"response.output_text.delta","delta":"ok"}\r\n\r\n');
  const size = 64 * 1024 * 1024;
  const length = 16 * 1024;
  const repeated = Buffer.alloc(length + event.length, event);
  async function* body() {
    // chunks cut events at every possible place
    for (let at = 0; at < size; at += length) {
      const offset = at % event.length;
      yield repeated.subarray(offset, offset + length);
    }
  }
  let count = 0;
  let peak = 0;
  const before = process.memoryUsage().heapUsed;
  for await (const _ of readSse(body())) {
    count += 1;
    if (count % 100_000 === 0) peak = Math.max(peak, process.memoryUsage().heapUsed - before);
  }
  expect(count).toBe(Math.floor(size / event.length));
  expect(peak).toBeLessThan(200 * 1024 * 1024);
}, 120_000);

test('one long line in small pieces takes linear time', async () => {
  const piece = utf8('x'.repeat(1024));
  async function* body() {
    yield utf8('data: "');
    for (let i = 0; i < 16 * 1024; i++) yield piece;
    yield utf8('"\n\n');
  }
  const lengths: number[] = [];
  for await (const message of readSse(body())) lengths.push((message.data as string).length);
  expect(lengths).toEqual([16 * 1024 * 1024]);
});
