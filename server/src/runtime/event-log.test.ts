import type { EventBody, SessionEvent } from '@tscodex/shared/events';
import { applyEvent, emptySession, type SessionState } from '@tscodex/shared/session-state';
import { expect, test } from 'vitest';
import { EventLog } from './event-log.ts';

const at = '2026-01-02T03:04:05.000Z';
const empty = () => emptySession({ id: 's', workspaceId: 'w', cwd: '/w', createdAt: at });
const started = (id: string): EventBody => ({
  type: 'item.started',
  item: { id, type: 'agentMessage', turnId: 't', status: 'inProgress', startedAt: at, text: '' },
});
const delta = (itemId: string, text: string): EventBody => ({ type: 'item.delta', itemId, delta: text });

function view() {
  const seen = { snapshots: 0, state: null as SessionState | null, ended: null as string | null };
  return {
    seen,
    viewer: {
      snapshot: ({ state }: { state: SessionState }) => {
        seen.snapshots += 1;
        seen.state = state;
      },
      events: (_epoch: string, events: readonly SessionEvent[]) => {
        for (const event of events) {
          expect(event.seq).toBe((seen.state?.seq ?? 0) + 1);
          seen.state = applyEvent(seen.state as SessionState, event);
        }
      },
      ended: (reason: string) => {
        seen.ended = reason;
      },
    },
  };
}

test('whoever follows, from wherever, holds what the server holds', () => {
  const log = new EventLog(empty());
  const first = view();
  log.subscribe(first.viewer);
  log.emit(started('a'));
  for (let i = 0; i < 50; i++) log.emit(delta('a', `${i} `));
  const late = view();
  log.subscribe(late.viewer);
  const back = view();
  back.seen.state = late.seen.state;
  for (let i = 0; i < 50; i++) log.emit(delta('a', `${i} `));
  log.subscribe(back.viewer, { epoch: log.epoch, after: 51 });
  log.emit(delta('a', 'end'));
  for (const { seen } of [first, late, back]) expect(seen.state).toEqual(log.state);
  expect([first.seen.snapshots, late.seen.snapshots, back.seen.snapshots]).toEqual([1, 1, 0]);
});

test('what is kept for those who come back is bounded by number', () => {
  const log = new EventLog(empty());
  log.emit(started('a'));
  for (let i = 0; i < 10_000; i++) log.emit(delta('a', 'x'));
  const { seq } = log.snapshot();
  const near = view();
  near.seen.state = { ...empty(), seq: seq - 4096 };
  log.subscribe(near.viewer, { epoch: log.epoch, after: seq - 4096 });
  expect(near.seen).toMatchObject({ snapshots: 0, state: { seq } });
  const far = view();
  log.subscribe(far.viewer, { epoch: log.epoch, after: seq - 4097 });
  expect(far.seen.snapshots).toBe(1);
});

test('and by size', () => {
  const log = new EventLog(empty());
  log.emit(started('a'));
  for (let i = 0; i < 100; i++) log.emit(delta('a', 'x'.repeat(100_000)));
  const { seq } = log.snapshot();
  const far = view();
  log.subscribe(far.viewer, { epoch: log.epoch, after: seq - 60 });
  expect(far.seen.snapshots).toBe(1);
  const near = view();
  near.seen.state = { ...empty(), seq: seq - 30 };
  log.subscribe(near.viewer, { epoch: log.epoch, after: seq - 30 });
  expect(near.seen.snapshots).toBe(0);
});

test('what is left behind is let go of soon', () => {
  const log = new EventLog(empty());
  log.emit(started('a'));
  for (let i = 0; i < 400; i++) log.emit(delta('a', 'x'.repeat(100_000)));
  // 4 MiB are 41 of these; as many again may wait to be cut off
  const far = view();
  log.subscribe(far.viewer, { epoch: log.epoch, after: log.snapshot().seq - 100 });
  expect(far.seen.snapshots).toBe(1);
  expect(log.held).toBeLessThanOrEqual(84);
});

test('a viewer that left gets nothing more, and all learn of the end', () => {
  const log = new EventLog(empty());
  const [gone, stays] = [view(), view()];
  const leave = log.subscribe(gone.viewer);
  log.subscribe(stays.viewer);
  leave();
  log.emit(started('a'));
  log.end('closed');
  expect(gone.seen).toMatchObject({ state: { seq: 0 }, ended: null });
  expect(stays.seen).toMatchObject({ state: { seq: 1 }, ended: 'closed' });
});
