import type { SessionEvent } from '@tscodex/shared/events';
import { applyEvent, emptySession } from '@tscodex/shared/session-state';
import { expect, test } from 'vitest';
import { advance } from './replica.ts';

const about = { id: 's', workspaceId: 'w', cwd: '/w', createdAt: '2026-01-01T00:00:00.000Z' };

const started: SessionEvent = {
  seq: 1,
  type: 'item.started',
  item: {
    id: 'm',
    turnId: 't',
    type: 'agentMessage',
    status: 'inProgress',
    startedAt: about.createdAt,
    text: '',
  },
};
const word = (seq: number, delta: string, joined?: number): SessionEvent => ({
  seq,
  type: 'item.delta',
  itemId: 'm',
  delta,
  ...(joined === undefined ? {} : { joined }),
});
const at = (events: SessionEvent[]) => ({
  epoch: 'e',
  state: events.reduce(applyEvent, emptySession(about)),
});
const text = (replica: ReturnType<typeof advance>) =>
  replica === 'gap' ? replica : replica.state.items.map((item) => 'text' in item && item.text);

test('events that follow are folded in', () => {
  expect(text(advance(at([started]), [word(2, 'a'), word(3, 'b')]))).toEqual(['ab']);
});

test('what was seen before changes nothing, not even the object', () => {
  const replica = at([started, word(2, 'a')]);
  expect(advance(replica, [started, word(2, 'a')])).toBe(replica);
  expect(text(advance(replica, [word(2, 'a'), word(3, 'b')]))).toEqual(['ab']);
});

test('a missing event is a gap', () => {
  expect(advance(at([started]), [word(3, 'b')])).toBe('gap');
  expect(advance(at([started]), [word(4, 'bcd', 2)])).toBe('gap');
});

test('joined deltas count for as many as they stand for', () => {
  expect(text(advance(at([started]), [word(4, 'abc', 3), word(5, 'd')]))).toEqual(['abcd']);
});

test('a joined delta that is half known is a gap, never doubled text', () => {
  expect(advance(at([started, word(2, 'a')]), [word(4, 'abc', 3)])).toBe('gap');
  const replica = at([started, word(2, 'a'), word(3, 'b'), word(4, 'c')]);
  expect(advance(replica, [word(4, 'abc', 3)])).toBe(replica);
});

test('events of another epoch, or before any snapshot, have nothing to build on', () => {
  expect(advance(null, [started])).toBe('gap');
  expect(advance(at([started]), [word(2, 'a')], 'other')).toBe('gap');
  expect(text(advance(at([started]), [word(2, 'a')], 'e'))).toEqual(['a']);
});
