import type { Input } from '@tscodex/shared/inputs';
import { placeInput } from '@tscodex/shared/session-state';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changed, interpret, nextTurn, steersOf } from './input-queue.ts';

const input = (id: string, mode: Input['mode']): Input => ({
  id,
  mode,
  text: id,
  attachments: [],
  author: null,
  at: '2026-01-02T03:04:05.000Z',
});

/** What people do, and what the agent's side does: a model of the queue that only knows the order rule. */
type Step =
  | { do: 'send'; mode: 'steer' | 'queue' }
  | { do: 'start turn' }
  | { do: 'next request' }
  | { do: 'withdraw'; at: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('send' as const), mode: fc.constantFrom('steer' as const, 'queue' as const) }),
  fc.constant({ do: 'start turn' as const }),
  fc.constant({ do: 'next request' as const }),
  fc.record({ do: fc.constant('withdraw' as const), at: fc.nat(10) }),
);

test('Q17: steers go first, then the queue, each first in first out; nothing is lost or doubled', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let waiting: Input[] = [];
      let sent = 0;
      const taken: Input[] = [];
      const withdrawn = new Set<string>();
      const take = (inputs: Input[]) => {
        taken.push(...inputs);
        waiting = waiting.filter((w) => !inputs.includes(w));
      };
      for (const s of steps) {
        if (s.do === 'send') waiting = placeInput(waiting, input(`${s.mode} ${sent++}`, s.mode));
        if (s.do === 'next request') take(steersOf(waiting));
        if (s.do === 'start turn') {
          const first = nextTurn(waiting);
          // a queued input is a turn of its own and never overtakes a steer
          if (first.some((i) => i.mode === 'queue')) {
            expect(first).toHaveLength(1);
            expect(steersOf(waiting)).toEqual([]);
          }
          take(first);
        }
        const gone = s.do === 'withdraw' ? waiting[s.at] : undefined;
        if (gone) {
          withdrawn.add(gone.id);
          waiting = waiting.filter((w) => w !== gone);
        }
      }
      for (const mode of ['steer', 'queue'] as const) {
        const order = taken.filter((i) => i.mode === mode).map((i) => Number(i.id.split(' ')[1]));
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }
      const everywhere = [...taken, ...waiting].map((i) => i.id).concat(...withdrawn);
      expect(new Set(everywhere).size).toBe(sent);
      expect(everywhere).toHaveLength(sent);
    }),
  );
});

test('an input moves within its own kind only', () => {
  const waiting = [input('s1', 'steer'), input('q1', 'queue'), input('q2', 'queue'), input('q3', 'queue')];
  const order = (inputs: Input[]) => inputs.map((i) => i.id).join(' ');
  expect(order(changed(waiting, 'q3', { position: 0 }, 'Jo'))).toBe('s1 q3 q1 q2');
  expect(order(changed(waiting, 's1', { position: 3 }, 'Jo'))).toBe('s1 q1 q2 q3');
  expect(order(changed(waiting, 'q1', { position: 99 }, 'Jo'))).toBe('s1 q2 q3 q1');
  expect(changed(waiting, 'q1', { text: 'new' }, 'Jo')[1]).toMatchObject({
    ...{ id: 'q1', text: 'new', author: 'Jo' },
  });
  expect(changed(waiting, 'q1', { position: 0 }, 'Jo')[1]).toMatchObject({ author: null });
  expect(order(changed(waiting, 'gone', { position: 0 }, 'Jo'))).toBe('s1 q1 q2 q3');
});

test.each([
  ['/help', { kind: 'command', name: 'help', argument: '' }],
  ['  /title  A better name ', { kind: 'command', name: 'title', argument: 'A better name' }],
  ['/queue then this', { kind: 'message', mode: 'queue', text: 'then this' }],
  ['/queue', { kind: 'command', name: 'queue', argument: '' }],
  ['/usr/bin/env is where?', { kind: 'message', mode: 'steer', text: '/usr/bin/env is where?' }],
  ['/ two', { kind: 'message', mode: 'steer', text: '/ two' }],
  ['what does /help do', { kind: 'message', mode: 'steer', text: 'what does /help do' }],
])('%j means %j', (text, meaning) => expect(interpret(text, 'steer', false)).toEqual(meaning));

test('literal text is never a command', () => {
  expect(interpret('/help', 'queue', true)).toEqual({ kind: 'message', mode: 'queue', text: '/help' });
});
