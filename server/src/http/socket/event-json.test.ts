import { emptySession } from '@tscodex/shared/session-state';
import { expect, test, vi } from 'vitest';
import { EventJson } from './event-json.ts';

test('a state is written once however many begin with it, and again when it has changed', () => {
  const json = new EventJson();
  const state = emptySession({ id: 's', workspaceId: 'w', cwd: '/', createdAt: '' });
  const stringify = vi.spyOn(JSON, 'stringify');
  const frames = Array.from({ length: 50 }, (_, sub) => json.snapshot(sub, { epoch: 'e', seq: 3, state }));
  const written = () => stringify.mock.calls.filter(([value]) => typeof value === 'object').length;
  expect(written()).toBe(1);
  const later = { ...state, title: 'new' };
  const changed = json.snapshot(1, { epoch: 'e', seq: 4, state: later });
  expect(written()).toBe(2);
  stringify.mockRestore();
  expect(JSON.parse(frames[7] ?? '')).toEqual({ type: 'snapshot', sub: 7, epoch: 'e', seq: 3, state });
  expect(JSON.parse(changed)).toEqual({ type: 'snapshot', sub: 1, epoch: 'e', seq: 4, state: later });
});
