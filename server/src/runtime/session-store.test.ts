import { afterEach, expect, test } from 'vitest';
import { findSession, insertSession, UNTOUCHED } from './session-rows.ts';
import { SessionStore } from './session-store.ts';
import { openTestBox, type TestBox } from './test-session.ts';

let box: TestBox;
afterEach(() => box.remove());

async function taken(how: 'deleteInputs' | 'keepTaken') {
  box = await openTestBox();
  const at = '2026-01-02T03:04:05.000Z';
  await insertSession(box.db, {
    ...{ ...UNTOUCHED, id: 's', workspaceId: 'w', title: null, cwd: '/w', profile: null, turnId: 't' },
    ...{ backend: 'codex' as const, model: null, effort: null, rolloutPath: '/r/s.jsonl' },
    ...{ createdAt: at, lastActivityAt: at },
  });
  const store = new SessionStore(box.db, 's');
  await store.insertInput({ id: 'i', text: 'hello', mode: 'steer', attachments: [], author: null, at });
  await store[how](['i']);
  return { sent: findSession(box.db, 's')?.requestSent, left: store.inputs().map(({ state }) => state) };
}

test('what is only in the file is yet to be sent: a crash before that loses no request', async () => {
  expect(await taken('deleteInputs')).toEqual({ sent: false, left: [] });
});

test('what the writer of the file has taken was given to the agent: a crash right after offers to continue', async () => {
  expect(await taken('keepTaken')).toEqual({ sent: true, left: ['done'] });
});
