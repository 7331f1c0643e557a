/** The whole way from frames to what is shown, over a fake connection that can be cut anywhere (O-F1). */
import type { SessionEvent } from '@tscodex/shared/events';
import { applyEvent, emptySession, type SessionState } from '@tscodex/shared/session-state';
import type { ClientFrame, ServerFrame } from '@tscodex/shared/socket';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Live } from '../api/live.ts';
import { SessionStores } from './session-store.ts';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'],
  });
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, 16));
  vi.stubGlobal('cancelAnimationFrame', (id: number) => clearTimeout(id));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const about = { id: 's', workspaceId: 'w', cwd: '/w', createdAt: '2026-01-01T00:00:00.000Z' };
const item = (id: string) => ({ id, turnId: 't', startedAt: about.createdAt, status: 'inProgress' as const });

/** w1 … w200 with a tool call in the middle. */
function story(): SessionEvent[] {
  const bodies = [
    { type: 'turn.started' as const, turn: { id: 't', startedAt: about.createdAt } },
    { type: 'item.started' as const, item: { ...item('m1'), type: 'agentMessage' as const, text: '' } },
    ...words('m1', 1, 100),
    {
      type: 'item.completed' as const,
      item: { ...item('c'), type: 'toolCall' as const, name: 'look', arguments: '{}' },
    },
    { type: 'item.started' as const, item: { ...item('m2'), type: 'agentMessage' as const, text: '' } },
    ...words('m2', 101, 200),
    { type: 'turn.completed' as const, turnId: 't', status: 'completed' as const, durationMs: 1 },
  ];
  return bodies.map((body, i) => ({ ...body, seq: i + 1 }));
}
const words = (itemId: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({
    type: 'item.delta' as const,
    itemId,
    delta: `w${from + i} `,
  }));

/** A server in small: an epoch, its events, and a ring of which older ones fall out. */
class FakeServer {
  epoch = 'e1';
  readonly events: SessionEvent[] = [];
  /** Events up to this number are not kept any more. */
  forgotten = 0;
  readonly asked: ClientFrame[] = [];
  #sub: number | null = null;
  #subs = 0;
  #connected = false;
  readonly live = new Live({ open: () => undefined, send: (frame) => this.#receive(frame) });

  connect(): void {
    if (this.#connected) return;
    this.#connected = true;
    this.#send({
      type: 'hello',
      protocol: 1,
      heartbeatMs: 1e6,
      me: { id: 'me', name: null },
      version: '1',
      home: '',
    });
  }

  cut(): void {
    this.#connected = false;
    this.#sub = null;
  }

  emit(...events: SessionEvent[]): void {
    this.events.push(...events);
    if (this.#sub !== null) this.#send({ type: 'events', sub: this.#sub, events });
  }

  /** Sends without keeping: what a faulty server or network might do. */
  inject(events: SessionEvent[]): void {
    if (this.#sub !== null) this.#send({ type: 'events', sub: this.#sub, events });
  }

  restart(): void {
    this.cut();
    this.epoch += '+';
  }

  state(): SessionState {
    return this.events.reduce(applyEvent, emptySession(about));
  }

  #receive(frame: ClientFrame): void {
    if (!this.#connected) return;
    this.asked.push(frame);
    if (frame.type === 'unsubscribe' && frame.sub === this.#sub) this.#sub = null;
    if (frame.type !== 'subscribe') return;
    this.#subs += 1;
    this.#sub = this.#subs;
    this.#send({ type: 'subscribed', session: frame.session, sub: this.#sub });
    const { after } = frame;
    if (frame.epoch !== this.epoch || after === undefined || after < this.forgotten) {
      const state = this.state();
      this.#send({ type: 'snapshot', sub: this.#sub, epoch: this.epoch, seq: state.seq, state });
    } else if (after < this.events.length) {
      const events = this.events.slice(after);
      this.#send({ type: 'events', sub: this.#sub, epoch: this.epoch, events });
    }
  }

  #send(frame: ServerFrame): void {
    this.live.onFrame(JSON.parse(JSON.stringify(frame)) as ServerFrame);
  }
}

function setUp() {
  const server = new FakeServer();
  const stores = new SessionStores(server.live);
  const leave = stores.view('s');
  server.connect();
  const shown = () => {
    vi.advanceTimersByTime(300);
    return stores.store('s').getState();
  };
  return { server, stores, shown, leave };
}

test('cut in mid-stream, twice, and once over the end of the turn: all of it once and in order', () => {
  const { server, shown } = setUp();
  const events = story();
  server.emit(...events.slice(0, 52));
  server.cut();
  server.emit(...events.slice(52, 90));
  server.connect();
  server.emit(...events.slice(90, 122));
  server.cut();
  server.emit(...events.slice(122));
  server.connect();
  expect(shown()).toEqual({ state: server.state(), problem: null });
  expect(shown().state?.items.map((i) => i.id)).toEqual(['m1', 'c', 'm2']);
  expect(shown().state?.turn).toBeNull();
  expect(server.asked).toEqual([
    { type: 'subscribe', session: 's' },
    { type: 'subscribe', session: 's', epoch: 'e1', after: 52 },
    { type: 'subscribe', session: 's', epoch: 'e1', after: 122 },
  ]);
});

test('every cut point gives the same picture', () => {
  const events = story();
  for (let at = 0; at <= events.length; at += 7) {
    const { server, shown } = setUp();
    server.emit(...events.slice(0, at));
    server.cut();
    server.connect();
    server.emit(...events.slice(at));
    expect(shown().state).toEqual(server.state());
  }
});

test('a server that no longer keeps the missed events, or was restarted, sends a snapshot', () => {
  const { server, shown } = setUp();
  const events = story();
  server.emit(...events.slice(0, 30));
  server.cut();
  server.emit(...events.slice(30, 60));
  server.forgotten = 50;
  server.connect();
  expect(shown().state).toEqual(server.state());
  server.restart();
  server.connect();
  server.emit(...events.slice(60));
  expect(shown().state).toEqual(server.state());
});

test('duplicates and a gap on a live connection do no harm', () => {
  const { server, shown } = setUp();
  const events = story();
  server.emit(...events.slice(0, 20));
  server.inject(events.slice(10, 20));
  expect(shown().state).toEqual(server.state());
  server.events.push(...events.slice(20, 25));
  server.emit(...events.slice(25, 30));
  expect(shown().state).toEqual(server.state());
  expect(server.asked.slice(1)).toEqual([
    { type: 'unsubscribe', sub: 1 },
    { type: 'subscribe', session: 's' },
  ]);
});

test('thirty reconnects of an idle session send it once', () => {
  const { server, shown } = setUp();
  server.emit(...story());
  const before = shown().state;
  for (let i = 0; i < 30; i++) {
    server.cut();
    server.connect();
  }
  expect(shown().state).toBe(before);
});

test('many events, few pictures: one with every other frame', () => {
  const { server, stores } = setUp();
  vi.advanceTimersByTime(300);
  let published = 0;
  stores.store('s').subscribe(() => {
    published += 1;
  });
  for (const event of story()) server.emit(event);
  expect(published).toBe(0);
  vi.advanceTimersByTime(16);
  expect(published).toBe(0);
  vi.advanceTimersByTime(16);
  expect(published).toBe(1);
});

test('a page that draws no frames is kept up to date all the same', () => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
  const { server, shown } = setUp();
  server.emit(...story());
  expect(shown().state).toEqual(server.state());
});

test('a session left and looked at again is there at once and asks only for what is new', () => {
  const { server, stores, shown, leave } = setUp();
  const events = story();
  server.emit(...events.slice(0, 50));
  shown();
  leave();
  server.emit(...events.slice(50));
  expect(stores.store('s').getState().state?.seq).toBe(50);
  stores.view('s');
  expect(shown().state).toEqual(server.state());
  expect(server.asked.at(-1)).toEqual({ type: 'subscribe', session: 's', epoch: 'e1', after: 50 });
});

test('a session that fails keeps what is known, says why, and can be asked for again', () => {
  const { server, stores, shown } = setUp();
  server.emit(...story());
  shown();
  server.live.onFrame({ type: 'error', code: 'session.closed', message: 'It was closed.', ref: 's' });
  expect(shown().problem).toEqual({ code: 'session.closed', message: 'It was closed.' });
  expect(shown().state).toEqual(server.state());
  stores.retry('s');
  server.emit({ seq: 207, type: 'session.updated', patch: { title: 'again' } });
  expect(shown()).toEqual({ state: server.state(), problem: null });
});

test('a problem that comes in one frame with the last events stays', () => {
  const { server, shown } = setUp();
  server.emit(...story());
  server.live.onFrame({ type: 'error', code: 'session.closed', message: 'It was closed.', ref: 's' });
  expect(shown()).toEqual({
    state: server.state(),
    problem: { code: 'session.closed', message: 'It was closed.' },
  });
});
