import { afterEach, expect, test } from 'vitest';
import { insertSession, UNTOUCHED } from '../session-rows.ts';
import { openTestBox, type TestBox } from '../test-session.ts';
import { agentsOf, closeAgents, depthOf, familyOf, rootOf } from './agent-rows.ts';

let box: TestBox;
afterEach(() => box.remove());

async function session(id: string, parentId: string | null) {
  const at = '2026-01-02T03:04:05.000Z';
  const row = {
    ...{ ...UNTOUCHED, id, parentId, workspaceId: 'w', title: id, nickname: id, cwd: '/w', profile: null },
    ...{ backend: 'native' as const, model: null, effort: null, rolloutPath: `/r/${id}.jsonl` },
    ...{ createdAt: at, lastActivityAt: at },
  };
  await insertSession(box.db, row);
  return row;
}

test('nothing wakes an agent that is closed, not even its clock', async () => {
  box = await openTestBox();
  await session('above', null);
  await session('below', 'above');
  const clock = { periodMinutes: 5, nextAt: '2026-01-02T03:09:05.000Z' };
  await box.db.write('UPDATE sessions SET clock = ?', JSON.stringify(clock));
  await closeAgents(box.db, ['below']);
  expect(agentsOf(box.db, 'above')).toMatchObject([{ id: 'below', closed: true, clock: null, wakes: null }]);
});

test('sessions that are each above the other do no harm', async () => {
  box = await openTestBox();
  const one = await session('one', 'two');
  await session('two', 'one');
  expect(familyOf(box.db, 'one').sort()).toEqual(['one', 'two']);
  expect(['one', 'two']).toContain(rootOf(box.db, one).id);
  expect(depthOf(box.db, one)).toBeLessThanOrEqual(100);
});
