import type { ServerFrame } from '@tscodex/shared/socket';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '../state/actions.ts';
import { Link, type WireEvents } from './link.ts';
import type { Ending } from './proxy-trouble.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function setUp() {
  const wires: { events: WireEvents; sent: string[]; closed: boolean }[] = [];
  const connections: Connection[] = [];
  const frames: string[] = [];
  const endings: Ending[] = [];
  const link = new Link(
    (events) => {
      const wire = { events, sent: [] as string[], closed: false };
      wires.push(wire);
      return {
        send: (text) => wire.sent.push(text),
        close: () => {
          wire.closed = true;
        },
      };
    },
    {
      onConnection: (connection) => connections.push(connection),
      onFrame: (frame) => frames.push(frame.type),
      onEnded: (ending) => endings.push(ending),
    },
  );
  const wire = () => {
    const last = wires.at(-1);
    if (!last) throw new Error('no connection was made');
    return last;
  };
  const receive = (frame: ServerFrame) => wire().events.onMessage(JSON.stringify(frame));
  const hello = () =>
    receive({
      type: 'hello',
      protocol: 1,
      heartbeatMs: 1_000,
      me: { id: 'me', name: null },
      version: '1',
      home: '',
    });
  return { link, wires, wire, receive, hello, connections, frames, endings };
}

test('opens once, and tells when the server has said hello', () => {
  const { link, wires, hello, connections, frames } = setUp();
  link.open();
  link.open();
  expect(wires).toHaveLength(1);
  expect(connections).toEqual([]);
  hello();
  expect(connections).toEqual(['live']);
  expect(frames).toEqual(['hello']);
});

test('sends nothing before hello', () => {
  const { link, wire, hello } = setUp();
  link.open();
  link.send({ type: 'overview' });
  hello();
  link.send({ type: 'overview' });
  expect(wire().sent).toEqual(['{"type":"overview"}']);
});

test('connects again within a quarter of a second after a cut', () => {
  const { link, wires, wire, hello, connections } = setUp();
  link.open();
  hello();
  wire().events.onClose(false);
  expect(connections).toEqual(['live', 'lost']);
  vi.advanceTimersByTime(250);
  expect(wires).toHaveLength(2);
  hello();
  expect(connections).toEqual(['live', 'lost', 'live']);
});

test('backs off, never longer than ten seconds, and starts over once it was live', () => {
  const { link, wires, wire, hello } = setUp();
  link.open();
  const waits: number[] = [];
  for (let i = 0; i < 12; i++) {
    wire().events.onClose(false);
    const before = Date.now();
    vi.advanceTimersToNextTimer();
    waits.push(Date.now() - before);
  }
  for (const [i, wait] of waits.entries()) {
    const longest = Math.min(10_000, 250 * 2 ** (i + 1));
    expect(wait).toBeGreaterThanOrEqual(longest / 2);
    expect(wait).toBeLessThanOrEqual(longest);
  }
  hello();
  const count = wires.length;
  wire().events.onClose(false);
  vi.advanceTimersByTime(250);
  expect(wires).toHaveLength(count + 1);
});

test('waking connects at once instead of waiting', () => {
  const { link, wires, wire } = setUp();
  link.open();
  for (let i = 0; i < 8; i++) {
    wire().events.onClose(false);
    vi.advanceTimersToNextTimer();
  }
  wire().events.onClose(false);
  const count = wires.length;
  link.wake();
  expect(wires).toHaveLength(count + 1);
  vi.advanceTimersByTime(9_000);
  expect(wires).toHaveLength(count + 1);
});

test('Q2: a ping a heartbeat keeps an idle connection; without an answer it is given up', () => {
  const { link, wires, wire, hello, receive, connections } = setUp();
  link.open();
  hello();
  for (let i = 1; i <= 5; i++) {
    vi.advanceTimersByTime(1_000);
    expect(wire().sent).toHaveLength(i);
    receive({ type: 'pong' });
  }
  vi.advanceTimersByTime(1_000 + 1_999);
  expect(connections).toEqual(['live']);
  vi.advanceTimersByTime(1);
  expect(connections).toEqual(['live', 'lost']);
  expect(wires[0]?.closed).toBe(true);
});

test('any frame is a sign of life', () => {
  const { link, hello, receive, connections } = setUp();
  link.open();
  hello();
  for (let i = 0; i < 10; i++) {
    vi.advanceTimersByTime(1_500);
    receive({ type: 'overview', workspaces: [] });
  }
  expect(connections).toEqual(['live']);
});

test('Q2: after waking a dead connection is replaced within seconds', () => {
  const { link, wires, hello, connections } = setUp();
  link.open();
  hello();
  link.wake();
  vi.advanceTimersByTime(3_000 + 250);
  expect(connections).toEqual(['live', 'lost']);
  expect(wires).toHaveLength(2);
});

test('a connection that does not come up is given up', () => {
  const { link, wires, endings } = setUp();
  link.open();
  vi.advanceTimersByTime(10_000 + 500);
  expect(endings).toEqual([{ live: false, opened: false, closed: false, clean: false, quietMs: 10_000 }]);
  expect(wires).toHaveLength(2);
});

test('what a replaced connection still says is not heard', () => {
  const { link, wires, hello, frames, connections } = setUp();
  link.open();
  hello();
  link.wake();
  vi.advanceTimersByTime(3_250);
  hello();
  wires[0]?.events.onMessage('{"type":"pong"}');
  wires[0]?.events.onClose(false);
  expect(frames).toEqual(['hello', 'hello']);
  expect(connections).toEqual(['live', 'lost', 'live']);
});

test('tells how a connection ended, and how long it had been quiet', () => {
  const { link, wire, hello, endings } = setUp();
  link.open();
  wire().events.onOpen();
  hello();
  vi.advanceTimersByTime(400);
  link.send({ type: 'overview' });
  vi.advanceTimersByTime(500);
  wire().events.onClose(true);
  vi.advanceTimersByTime(250);
  wire().events.onClose(false);
  expect(endings).toEqual([
    { live: true, opened: true, closed: true, clean: true, quietMs: 500 },
    { live: false, opened: false, closed: true, clean: false, quietMs: expect.any(Number) },
  ]);
});
