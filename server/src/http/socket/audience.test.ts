import type { EventBody, SessionEvent } from '@tscodex/shared/events';
import { applyEvent, emptySession, type SessionState } from '@tscodex/shared/session-state';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EventLog } from '../../runtime/event-log.ts';
import type { Session, Viewer } from '../../runtime/session-directory.ts';
import { Audiences } from './audience.ts';

const at = '2026-01-02T03:04:05.000Z';
const started = (id: string): EventBody => ({
  type: 'item.started',
  item: { id, type: 'agentMessage', turnId: 't', status: 'inProgress', startedAt: at, text: '' },
});
const delta = (text: string): EventBody => ({ type: 'item.delta', itemId: 'a', delta: text });

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A session that counts its viewers. */
function session() {
  const log = new EventLog(emptySession({ id: 's', workspaceId: 'w', cwd: '/w', createdAt: at }));
  const seen = { subscribed: 0, attached: 0 };
  const subscribe = (viewer: Viewer, from?: { epoch: string; after: number }) => {
    const detach = log.subscribe(viewer, from);
    seen.subscribed++;
    seen.attached++;
    return () => {
      seen.attached--;
      detach();
    };
  };
  const audience = new Audiences().of({ subscribe, snapshot: () => log.snapshot() } as unknown as Session);
  return { log, audience, seen };
}

class Watcher implements Viewer {
  state: SessionState | null = null;
  readonly rounds: (readonly SessionEvent[])[] = [];
  ends: string | null = null;

  snapshot({ state }: { state: SessionState }): void {
    this.state = state;
  }
  events(_epoch: string, events: readonly SessionEvent[]): void {
    this.rounds.push(events);
    for (const event of events) {
      expect(event.seq).toBe((this.state?.seq ?? 0) + 1);
      this.state = applyEvent(this.state as SessionState, event);
    }
  }
  ended(reason: string): void {
    this.ends = reason;
  }
}

test('text that comes together goes out together, as the same array to all; the rest at once', () => {
  const { log, audience } = session();
  const [one, other] = [new Watcher(), new Watcher()];
  audience.join(one);
  audience.join(other);
  log.emit(started('a'));
  expect(one.rounds).toHaveLength(1);
  log.emit(delta('x'));
  log.emit(delta('y'));
  expect(one.rounds).toHaveLength(1);
  vi.runAllTimers();
  log.emit(delta('z'));
  log.emit(started('b'));
  expect(one.rounds.map((events) => events.map(({ seq }) => seq))).toEqual([[1], [2, 3], [4, 5]]);
  expect(other.rounds[1]).toBe(one.rounds[1]);
  expect(one.state).toEqual(log.state);
});

test('a crowd gets the first event at once, and the next in rounds that the session can afford', () => {
  const { log, audience } = session();
  const watcher = new Watcher();
  audience.join(watcher);
  for (let n = 1; n < 500; n++) audience.join(new Watcher());
  vi.advanceTimersByTime(1_000);
  log.emit(started('a'));
  vi.advanceTimersByTime(1);
  expect(watcher.rounds.map(({ length }) => length)).toEqual([1]);
  for (let n = 0; n < 100; n++) {
    log.emit(delta('x'));
    vi.advanceTimersByTime(5);
  }
  vi.runAllTimers();
  expect(watcher.state).toEqual(log.state);
  expect(watcher.rounds.length).toBeLessThan(20);
});

test('a lot of text does not wait', () => {
  const { log, audience } = session();
  const watcher = new Watcher();
  audience.join(watcher);
  log.emit(started('a'));
  for (let n = 0; n < 10; n++) log.emit(delta('x'.repeat(10_000)));
  expect(watcher.rounds.map(({ length }) => length)).toEqual([1, 2, 2, 2, 2, 2]);
});

test('whoever comes in between begins where the others stand', () => {
  const { log, audience } = session();
  const [first, second, back] = [new Watcher(), new Watcher(), new Watcher()];
  audience.join(first);
  log.emit(started('a'));
  log.emit(delta('w'));
  audience.join(second);
  expect([first.state?.seq, second.state?.seq]).toEqual([2, 2]);
  log.emit(delta('x'));
  back.state = second.state;
  audience.join(back, { epoch: log.epoch, after: 2 });
  log.emit(delta('y'));
  vi.runAllTimers();
  for (const { state } of [first, second, back]) expect(state).toEqual(log.state);
});

test('the end comes after everything that was before it', () => {
  const { log, audience } = session();
  const watcher = new Watcher();
  audience.join(watcher);
  log.emit(started('a'));
  log.emit(delta('x'));
  log.end('closed');
  expect([watcher.state?.seq, watcher.ends]).toEqual([2, 'closed']);
});

test('the session has one viewer for all of them, and none once they are gone', () => {
  const { log, audience, seen } = session();
  const [one, other] = [new Watcher(), new Watcher()];
  const leave = [audience.join(one), audience.join(other)];
  expect(seen.attached).toBe(1);
  leave[0]?.();
  log.emit(started('a'));
  expect([one.rounds.length, other.rounds.length]).toEqual([0, 1]);
  leave[1]?.();
  expect(seen.attached).toBe(0);
  log.emit(delta('x'));
  vi.runAllTimers();
  expect(other.rounds.length).toBe(1);
  const again = new Watcher();
  audience.join(again);
  log.emit(delta('y'));
  vi.runAllTimers();
  expect(again.state).toEqual(log.state);
});
