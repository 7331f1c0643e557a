import type { AskBrief } from '@tscodex/shared/asks';
import type { SessionSummary, WorkspaceSummary } from '@tscodex/shared/workspace';
import { expect, test } from 'vitest';
import { canDecide, waitingIn } from './waiting.ts';

const command: AskBrief = {
  ...{ id: 'a1', kind: 'approval', what: 'command', text: 'make', cut: false },
  openedAt: '2026-01-01T00:00:02.000Z',
};
const session = (id: string, more: Partial<SessionSummary> = {}): SessionSummary => ({
  ...{ id, title: null, status: 'idle', asks: [], lastTurn: null, model: null },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', lastActivityAt: '2026-01-01T00:00:03.000Z' },
  ...more,
});
const workspace = (id: string, sessions: SessionSummary[]): WorkspaceSummary => ({
  ...{ id, name: id, dir: `/srv/${id}`, revision: '1', permissions: {}, sessions },
  board: { enabled: true, path: '', version: null },
});

test('all workspaces together, the oldest first, paused sessions among them', () => {
  const older: AskBrief = { ...command, id: 'a2', openedAt: '2026-01-01T00:00:01.000Z' };
  const found = waitingIn([
    workspace('one', [session('s1', { asks: [command] }), session('s2', { status: 'paused' })]),
    workspace('two', [session('s3', { title: 'Three', asks: [older] }), session('s4')]),
  ]);
  expect(found.map(({ key, workspace: { name }, session: { title } }) => [key, name, title])).toEqual([
    ['a2', 'two', 'Three'],
    ['a1', 'one', null],
    ['paused s2', 'one', null],
  ]);
});

test.each([
  ['a command', command, true],
  ['a command that is not shown whole', { ...command, cut: true }, false],
  ['a patch', { ...command, what: 'patch' as const }, false],
  ['permissions', { ...command, what: 'permissions' as const }, false],
  ['a question', { ...command, kind: 'question' as const, what: undefined }, false],
])('%s can be decided: %s', (_what, ask, expected) => {
  const [waiting] = waitingIn([workspace('one', [session('s1', { asks: [ask] })])]);
  expect(waiting && canDecide(waiting)).toBe(expected);
});

test('a pause is lifted in the session', () => {
  const [waiting] = waitingIn([workspace('one', [session('s1', { status: 'paused' })])]);
  expect(waiting && canDecide(waiting)).toBe(false);
});
