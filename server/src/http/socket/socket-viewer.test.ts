/** A viewer on a link that the test makes slow and quick. */
import type { SessionEvent } from '@tscodex/shared/events';
import { applyEvent, emptySession } from '@tscodex/shared/session-state';
import { expect, test } from 'vitest';
import { EventJson } from './event-json.ts';
import type { SocketLink } from './socket-link.ts';
import { SocketViewer } from './socket-viewer.ts';
import { textOf } from './text-frame.test-support.ts';

const epoch = 'e1';
const delta = (seq: number, text: string, more: object = {}): SessionEvent => ({
  seq,
  type: 'item.delta',
  itemId: 'i',
  delta: text,
  ...more,
});

class FakeLink {
  congested = false;
  readonly sent: unknown[] = [];
  readonly texts: string[] = [];
  readonly #waiting = new Set<() => void>();

  send(text: string): void {
    this.texts.push(text);
    this.sent.push(JSON.parse(text));
  }
  sendFrame(frame: Buffer): void {
    this.send(textOf(frame));
  }
  whenDrained(listener: () => void): void {
    this.#waiting.add(listener);
  }
  forget(listener: () => void): void {
    this.#waiting.delete(listener);
  }
  drain(): void {
    this.congested = false;
    for (const listener of [...this.#waiting]) {
      this.#waiting.delete(listener);
      listener();
    }
  }
  get waiting(): number {
    return this.#waiting.size;
  }
}

function setUp() {
  const link = new FakeLink();
  const state = emptySession({ id: 's', workspaceId: 'w', cwd: '/', createdAt: '' });
  const server = { snapshot: { epoch, seq: 0, state } };
  const viewer = new SocketViewer({
    sub: 3,
    link: link as unknown as SocketLink,
    json: new EventJson(),
    current: () => server.snapshot,
    onEnd: () => undefined,
  });
  viewer.snapshot(server.snapshot);
  link.sent.length = 0;
  return { link, viewer, server };
}

test('a quick link gets each call of events as one frame of no more than it needs', () => {
  const { link, viewer } = setUp();
  viewer.events(epoch, [delta(1, 'Hello ')]);
  expect(link.texts.at(-1)).toBe(
    '{"type":"events","sub":3,"events":[{"seq":1,"type":"item.delta","itemId":"i","delta":"Hello "}]}',
  );
});

test('a slow link gets joined deltas, in order, when it has drained', () => {
  const { link, viewer } = setUp();
  link.congested = true;
  viewer.events(epoch, [delta(1, 'a')]);
  viewer.events(epoch, [delta(2, 'b'), delta(3, 'c')]);
  viewer.events(epoch, [delta(4, 'out', { field: 'output' })]);
  viewer.events(epoch, [delta(5, 'put', { field: 'output' })]);
  viewer.events(epoch, [delta(6, 'later', { field: 'output', skipped: 9 })]);
  viewer.events(epoch, [delta(7, 'part', { field: 'summaryPart' })]);
  viewer.events(epoch, [delta(8, 'part', { field: 'summaryPart' })]);
  viewer.events(epoch, [delta(9, 'x', { itemId: 'j' })]);
  link.congested = false;
  viewer.events(epoch, [delta(10, 'y', { itemId: 'j' })]);
  expect(link.sent).toEqual([]);
  link.drain();
  expect(link.sent).toEqual([
    {
      type: 'events',
      sub: 3,
      events: [
        delta(3, 'abc', { joined: 3 }),
        delta(5, 'output', { field: 'output', joined: 2 }),
        delta(6, 'later', { field: 'output', skipped: 9 }),
        delta(7, 'part', { field: 'summaryPart' }),
        delta(8, 'part', { field: 'summaryPart' }),
        delta(10, 'xy', { itemId: 'j', joined: 2 }),
      ],
    },
  ]);
});

test('past the bound everything is dropped and made good by one snapshot', () => {
  const { link, viewer, server } = setUp();
  link.congested = true;
  for (let seq = 1; seq <= 1000; seq++) {
    const event = delta(seq, 'x'.repeat(1000));
    server.snapshot = { epoch, seq, state: applyEvent(server.snapshot.state, event) };
    viewer.events(epoch, [event]);
  }
  expect(link.waiting).toBe(1);
  link.drain();
  expect(link.sent).toEqual([{ type: 'snapshot', sub: 3, ...server.snapshot }]);
  viewer.events(epoch, [delta(1001, 'y')]);
  expect(link.sent.at(-1)).toEqual({ type: 'events', sub: 3, events: [delta(1001, 'y')] });
});

test('events that cannot be joined are bounded as well', () => {
  const { link, viewer, server } = setUp();
  link.congested = true;
  for (let seq = 1; seq <= 5000; seq++) viewer.events(epoch, [delta(seq, 'x', { itemId: `${seq % 2}` })]);
  link.drain();
  expect(link.sent).toEqual([{ type: 'snapshot', sub: 3, ...server.snapshot }]);
});

test('a snapshot for a slow link waits, and is then the newest', () => {
  const { link, viewer, server } = setUp();
  link.congested = true;
  viewer.snapshot(server.snapshot);
  viewer.events(epoch, [delta(1, 'a')]);
  server.snapshot = { ...server.snapshot, epoch: 'e2', seq: 7 };
  link.drain();
  expect(link.sent).toEqual([{ type: 'snapshot', sub: 3, ...server.snapshot }]);
});

test('what a snapshot has is not sent again', () => {
  const { link, viewer, server } = setUp();
  link.congested = true;
  viewer.snapshot(server.snapshot);
  server.snapshot = { ...server.snapshot, seq: 2 };
  link.drain();
  viewer.events(epoch, [delta(1, 'a'), delta(2, 'b'), delta(3, 'c')]);
  viewer.events(epoch, [delta(4, 'd')]);
  expect(link.sent.slice(1)).toEqual([
    { type: 'events', sub: 3, events: [delta(3, 'c')] },
    { type: 'events', sub: 3, events: [delta(4, 'd')] },
  ]);
});

test('replayed events name their epoch, also when they had to wait', () => {
  const { link, viewer } = setUp();
  link.congested = true;
  viewer.events('e2', [delta(8, 'a')]);
  link.drain();
  viewer.events('e2', [delta(9, 'b')]);
  expect(link.sent).toEqual([
    { type: 'events', sub: 3, epoch: 'e2', events: [delta(8, 'a')] },
    { type: 'events', sub: 3, events: [delta(9, 'b')] },
  ]);
});

test('nothing is sent after detaching', () => {
  const { link, viewer } = setUp();
  link.congested = true;
  viewer.events(epoch, [delta(1, 'a')]);
  viewer.detach();
  link.drain();
  expect(link.sent).toEqual([]);
});
