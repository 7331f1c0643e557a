import type { Input } from '@tscodex/shared/inputs';
import type { Item, Notice, SubAgent } from '@tscodex/shared/items';
import { emptySession, type SessionState } from '@tscodex/shared/session-state';
import { expect, test } from 'vitest';
import { agentItem, standOf, statusOf } from './standing.ts';

const AT = '2026-01-01T00:00:00.000Z';
const about = { id: 's', workspaceId: 'w', cwd: '/w', createdAt: AT };
const state = (patch: Partial<SessionState> = {}) => ({ ...emptySession(about), ...patch });
const turn = (status: 'completed' | 'failed' | 'interrupted') => ({ id: 't2', status, at: AT });
const said = (text: string, turnId: string) =>
  ({ id: text, type: 'agentMessage', turnId, status: 'completed', startedAt: AT, text }) as Item;
const error: Notice = {
  ...{ id: 'n', type: 'notice', turnId: 't2', status: 'completed', startedAt: AT },
  ...{ level: 'error', code: 'model.auth', text: 'openai: 401' },
};
const input: Input = { id: 'i', text: 'go', mode: 'queue', attachments: [], author: null, at: AT };

test('one that has done nothing is pending, one that works or is about to is running', () => {
  expect(standOf(state(), null)).toEqual({ standing: 'pending_init', turnId: null });
  expect(standOf(state({ turn: { id: 't2', startedAt: AT } }), turn('completed')).standing).toBe('running');
  expect(standOf(state({ waiting: [input] }), null).standing).toBe('running');
});

test('what waits until a person resumes it is not worked on', () => {
  const paused = state({ waiting: [input], status: 'paused', items: [error] });
  expect(standOf(paused, turn('failed')).standing).toEqual({ errored: 'model.auth: openai: 401' });
});

test('one that has ended says what it said last in that turn, or why it failed', () => {
  const items = [said('Before.', 't1'), said('Looking.', 't2'), said('Found.', 't2')];
  expect(standOf(state({ items }), turn('completed'))).toEqual({
    ...{ standing: { completed: 'Found.' }, turnId: 't2' },
  });
  const silent = standOf(state({ items: [said('Before.', 't1')] }), turn('completed'));
  expect(silent.standing).toEqual({ completed: null });
  expect(standOf(state({ items: [error] }), turn('failed')).standing).toEqual({
    errored: 'model.auth: openai: 401',
  });
  expect(standOf(state(), turn('interrupted')).standing).toEqual({
    errored: 'TurnInterrupted: turn interrupted',
  });
  expect(standOf(state({ canContinue: true }), turn('interrupted')).standing).toEqual({
    errored: 'TurnInterrupted: turn interrupted by a restart of the server',
  });
});

test('its answer is what it says is one, whatever it says after; a restart that has cut it is told', () => {
  const final = { ...said('42', 't2'), phase: 'final' } as Item;
  const aside = { ...said('Bye.', 't2'), phase: 'commentary' } as Item;
  const standing = (...items: Item[]) => standOf(state({ items }), turn('completed')).standing;
  expect(standing(final, said('More.', 't2'), aside)).toEqual({ completed: '42' });
  expect(standing(said('More.', 't2'), aside)).toEqual({ completed: 'More.' });
  expect(standing(aside)).toEqual({ completed: 'Bye.' });
  const cut: Notice = { ...error, level: 'warning', code: 'turn.interrupted' };
  expect(standOf(state({ items: [cut] }), turn('interrupted')).standing).toEqual({
    errored: 'TurnInterrupted: turn interrupted by a restart of the server',
  });
});

test('people see it in words of their own', () => {
  const all = ['pending_init', 'running', 'shutdown', { completed: null }, { errored: 'x' }] as const;
  expect(all.map(statusOf)).toEqual(['pending', 'running', 'closed', 'completed', 'failed']);
});

test('its item is in progress while it works, and keeps its last words when it is closed', () => {
  const item: SubAgent = {
    ...{ id: 'i', type: 'subAgent', turnId: 't', status: 'inProgress', startedAt: AT },
    ...{ agentId: 'a', nickname: 'Ada', prompt: 'dig', agentStatus: 'pending', message: null },
  };
  const ended = agentItem(item, { completed: 'x'.repeat(3000) }, AT);
  expect(ended).toMatchObject({ status: 'completed', agentStatus: 'completed', completedAt: AT });
  expect(ended.message).toBe(`${'x'.repeat(2000)}…`);
  expect(agentItem(ended, 'shutdown', AT)).toMatchObject({ agentStatus: 'closed', message: ended.message });
  expect(agentItem(ended, 'running', AT)).not.toHaveProperty('completedAt');
  expect(agentItem(ended, { errored: 'why' }, AT)).toMatchObject({ status: 'failed', message: 'why' });
});
