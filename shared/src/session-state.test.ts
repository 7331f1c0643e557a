import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventBody, SessionEvent } from './events.ts';
import type { Item } from './items.ts';
import { ITEMS_KEPT, OUTPUT_HEAD, OUTPUT_TAIL, WEIGHT_KEPT } from './limits.ts';
import { applyEvent, emptySession, follows, growOutput, type SessionState } from './session-state.ts';

const at = '2026-01-02T03:04:05.000Z';
const start = emptySession({ id: 's', workspaceId: 'w', cwd: '/w', createdAt: at });
const ids = ['a', 'b', 'c', 'd'];
const base = { turnId: 't', startedAt: at };

const status = fc.constantFrom('inProgress', 'completed', 'failed', 'declined', 'interrupted');
const item = fc.oneof(
  fc.record({
    id: fc.constantFrom(...ids),
    type: fc.constant('agentMessage'),
    status,
    text: fc.string(),
    turnId: fc.constant('t'),
    startedAt: fc.constant(at),
  }),
  fc.record({
    id: fc.constantFrom(...ids),
    type: fc.constant('reasoning'),
    status,
    summary: fc.array(fc.string()),
    turnId: fc.constant('t'),
    startedAt: fc.constant(at),
  }),
  fc.record({
    id: fc.constantFrom(...ids),
    type: fc.constant('hologram'),
    status,
    depth: fc.integer(),
    turnId: fc.constant('t'),
    startedAt: fc.constant(at),
  }),
);
const input = fc.record({
  id: fc.constantFrom(...ids),
  text: fc.string(),
  mode: fc.constant('queue'),
  attachments: fc.constant([]),
  author: fc.constant(null),
  at: fc.constant(at),
});
const body = fc.oneof(
  fc.record({
    type: fc.constant('session.updated'),
    patch: fc.record({ title: fc.option(fc.string(), { nil: null }) }),
  }),
  fc.record({
    type: fc.constant('turn.started'),
    turn: fc.record({ id: fc.string(), startedAt: fc.constant(at) }),
  }),
  fc.record({
    type: fc.constant('turn.completed'),
    turnId: fc.string(),
    status: fc.constant('completed'),
    durationMs: fc.nat(),
  }),
  fc.record({ type: fc.constantFrom('item.started', 'item.updated', 'item.completed'), item }),
  fc.record({
    type: fc.constant('item.delta'),
    itemId: fc.constantFrom(...ids),
    delta: fc.string(),
    field: fc.constantFrom('text', 'output', 'summary', 'summaryPart'),
  }),
  fc.record({ type: fc.constant('input.accepted'), input }),
  fc.record({ type: fc.constant('input.changed'), waiting: fc.array(input, { maxLength: 3 }) }),
  fc.record({
    type: fc.constant('input.taken'),
    inputIds: fc.subarray(ids),
    turnId: fc.constant('t'),
  }),
  fc.record({ type: fc.constant('tomorrow.happened'), what: fc.string() }),
) as unknown as fc.Arbitrary<EventBody>;

const numbered = (bodies: EventBody[]): SessionEvent[] => bodies.map((b, i) => ({ ...b, seq: i + 1 }));
const foldAll = (from: SessionState, events: SessionEvent[]) => events.reduce(applyEvent, from);
/** What travels: a snapshot is JSON. */
const wire = <T>(value: T): T => JSON.parse(JSON.stringify(value));

test('a snapshot and the rest equal the fold of all, wherever it is cut', () => {
  fc.assert(
    fc.property(fc.array(body, { maxLength: 60 }), fc.nat(60), (bodies, cut) => {
      const events = numbered(bodies);
      const snapshot = wire(foldAll(start, events.slice(0, cut)));
      expect(wire(foldAll(snapshot, events.slice(cut)))).toEqual(wire(foldAll(start, events)));
    }),
  );
});

test('the same holds while items are trimmed', () => {
  fc.assert(
    fc.property(
      fc.array(status, { minLength: ITEMS_KEPT + 1, maxLength: ITEMS_KEPT + 60 }),
      fc.nat(),
      (all, at_) => {
        const events = numbered(
          all.map((s, i) => ({
            type: 'item.completed',
            item: { ...base, id: `i${i}`, type: 'agentMessage', text: '', status: s },
          })) as EventBody[],
        );
        const cut = at_ % events.length;
        const whole = foldAll(start, events);
        expect(wire(foldAll(wire(foldAll(start, events.slice(0, cut))), events.slice(cut)))).toEqual(
          wire(whole),
        );
        const kept = new Set(whole.items.map((kept_) => kept_.id));
        const dropped = all.map((_, i) => i).filter((i) => !kept.has(`i${i}`));
        expect(dropped.every((i) => i < all.length - ITEMS_KEPT && all[i] !== 'inProgress')).toBe(true);
        // the cursor: everything dropped is older, and what is older and still here is in progress
        const cursor = whole.older === null ? 0 : Number(whole.older.slice(1));
        expect(dropped.every((i) => i < cursor)).toBe(true);
        expect(all.every((s, i) => i >= cursor || dropped.includes(i) || s === 'inProgress')).toBe(true);
      },
    ),
    { numRuns: 20 },
  );
});

test('an event seen before changes nothing', () => {
  fc.assert(
    fc.property(fc.array(body, { minLength: 1, maxLength: 30 }), fc.nat(), (bodies, pick) => {
      const events = numbered(bodies);
      const state = foldAll(start, events);
      expect(applyEvent(state, events[pick % events.length] as SessionEvent)).toBe(state);
    }),
  );
});

test('an unknown event counts and an unknown item is kept whole', () => {
  const events = numbered([
    { type: 'tomorrow.happened', what: 'x' } as unknown as EventBody,
    { type: 'item.completed', item: { ...base, id: 'h', type: 'hologram', status: 'completed', depth: 3 } },
  ] as EventBody[]);
  const state = foldAll(start, events);
  expect(state.seq).toBe(2);
  expect(state.items).toEqual([{ ...base, id: 'h', type: 'hologram', status: 'completed', depth: 3 }]);
});

test('a delta for an unknown item is ignored, one for a known item leaves the others untouched', () => {
  const [a, b] = ['a', 'b'].map((id) => ({
    type: 'item.started',
    item: { ...base, id, type: 'agentMessage', text: '', status: 'inProgress' },
  }));
  const before = foldAll(start, numbered([a, b] as EventBody[]));
  const after = foldAll(before, [
    { type: 'item.delta', itemId: 'nobody', delta: 'x', seq: 3 },
    { type: 'item.delta', itemId: 'b', delta: 'hi', seq: 4 },
  ]);
  expect(after.items[0]).toBe(before.items[0]);
  expect(after.items[1]).toMatchObject({ id: 'b', text: 'hi' });
});

test('a joined delta follows the last event it does not stand for', () => {
  const joined = { type: 'item.delta', itemId: 'a', delta: 'xyz', seq: 7, joined: 3 } as const;
  expect(follows({ seq: 4 }, joined)).toBe(true);
  expect(follows({ seq: 3 }, joined)).toBe(false);
  expect(follows({ seq: 6 }, { type: 'turn.started', turn: { id: 't', startedAt: at }, seq: 8 })).toBe(false);
});

test('output keeps its head and its tail and counts UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 20 }), (parts) => {
      const grown = parts.reduce((o, part) => growOutput(o, part), {
        output: '',
        outputBytes: 0,
        truncated: false,
      });
      expect(grown.outputBytes).toBe(encodeURIComponent(parts.join('')).replace(/%../g, 'x').length);
      expect(grown.output).toBe(parts.join(''));
    }),
  );
  let flood = { output: '', outputBytes: 0, truncated: false };
  for (let i = 0; i < 200; i++) flood = growOutput(flood, `${i}`.padStart(999, '.').concat('\n'));
  expect(flood.truncated).toBe(true);
  expect(flood.outputBytes).toBe(200_000);
  expect(flood.output).toHaveLength(OUTPUT_HEAD + OUTPUT_TAIL);
  expect(flood.output.endsWith('199\n')).toBe(true);
  expect(growOutput(flood, 'end', 1_000_000)).toMatchObject({ outputBytes: 1_200_003, truncated: true });
});

test('a plan item becomes the plan of the session', () => {
  const steps: Item = {
    ...base,
    id: 'p',
    type: 'plan',
    status: 'completed',
    steps: [{ step: 'one', status: 'completed' }],
  };
  expect(applyEvent(start, { type: 'item.completed', item: steps, seq: 1 }).plan).toEqual({
    steps: [{ step: 'one', status: 'completed' }],
  });
});

test('steers wait before the queue, each in the order it came', () => {
  const one = fc.record({ id: fc.uuid(), mode: fc.constantFrom('steer', 'queue') });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 20 }), (inputs) => {
      const events = inputs.map((i) => ({
        type: 'input.accepted',
        input: { ...i, text: 't', attachments: [], author: null, at },
      })) as EventBody[];
      const waiting = foldAll(start, numbered(events)).waiting.map((w) => w.id);
      const idsOf = (mode: string) => inputs.filter((i) => i.mode === mode).map((i) => i.id);
      expect(waiting).toEqual([...idsOf('steer'), ...idsOf('queue')]);
    }),
  );
});

test('a retry is over when the model answers, be it with a call; a command printing is no answer', () => {
  const retry = (state: string): Item =>
    ({
      ...base,
      id: 'n',
      type: 'notice',
      status: state,
      level: 'info',
      code: 'model.retry',
      text: '',
    }) as Item;
  const command = { ...base, id: 'c', type: 'commandExecution', status: 'inProgress', output: '' };
  const events = numbered([
    { type: 'item.started', item: { ...command, outputBytes: 0, truncated: false } },
    { type: 'item.started', item: retry('inProgress') },
    { type: 'model.retrying', attempt: 1, max: 5, delayMs: 100, message: 'cut' },
    { type: 'item.delta', itemId: 'c', delta: 'x', field: 'output' },
    { type: 'item.completed', item: retry('completed') },
  ] as EventBody[]);
  expect(foldAll(start, events.slice(0, 4)).retrying).toMatchObject({ attempt: 1 });
  expect(foldAll(start, events).retrying).toBeNull();
});

test('commands in the background and the clock change one without the other', () => {
  const command = { processId: '1', itemId: 'a', command: 'npm run dev', startedAt: at };
  const clock = { periodMinutes: 5, nextAt: at };
  const seen = (events: EventBody[]) =>
    events.reduce((state, event, i) => applyEvent(state, { ...event, seq: i + 1 } as SessionEvent), start);
  const both = seen([
    { type: 'background.updated', commands: [command] },
    { type: 'background.updated', clock },
  ]);
  expect(both).toMatchObject({ background: [command], clock });
  const off = applyEvent(both, { type: 'background.updated', clock: null, seq: 3 });
  expect(off).toMatchObject({ background: [command], clock: null });
});

test('of items that are large fewer are kept, and the newest whatever it weighs', () => {
  const large = (id: string, share: number) => ({
    type: 'item.completed' as const,
    item: {
      ...base,
      id,
      type: 'agentMessage',
      status: 'completed',
      text: 'x'.repeat(WEIGHT_KEPT * share),
    } as Item,
  });
  const events = (...bodies: EventBody[]) =>
    bodies.map((body, i) => ({ ...body, seq: i + 1 }) as SessionEvent);
  const after = (...bodies: EventBody[]) => {
    const { items, older } = foldAll(start, events(...bodies));
    return [items.map((item) => item.id).join(''), older];
  };
  expect(after(large('a', 0.4), large('b', 0.4))).toEqual(['ab', null]);
  expect(after(large('a', 0.4), large('b', 0.4), large('c', 0.4))).toEqual(['bc', 'b']);
  expect(after(large('a', 0.4), large('b', 2))).toEqual(['b', 'b']);
});
