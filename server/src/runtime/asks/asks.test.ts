import type { Approval } from '@tscodex/shared/asks';
import type { EventBody } from '@tscodex/shared/events';
import { expect, test } from 'vitest';
import { Failure } from '../../base/errors.ts';
import type { AskRow } from '../session-store.ts';
import { Asks } from './asks.ts';

const signal = new AbortController().signal;
const call = { turnId: 'turn', callId: 'call', itemId: 'item', signal };
const command: Approval = { what: 'command', command: 'npm test', cwd: '/w', rule: ['npm', 'test'] };
const network: Approval = { what: 'permissions', grants: { network: true } };

/** Asks over a store in memory; `saved` outlives them. */
function scene(saved: AskRow[] = [], takenBack: string[] = []) {
  const events: EventBody[] = [];
  const done: unknown[] = [];
  const refuse = { rule: false };
  const find = (id: string) => saved.find(({ ask }) => ask.id === id) ?? null;
  const asks = new Asks(
    'session',
    {
      asks: (turnId) => saved.filter((row) => row.state === 'open' || row.ask.turnId === turnId),
      ask: find,
      grantedForSession: () =>
        saved.filter(
          ({ ask, answer }) =>
            answer && 'choice' in answer && answer.choice === 'session' && !takenBack.includes(ask.id),
        ),
      takeBackGrant: async (id) => void takenBack.push(id),
      insertAsk: async (row) => void saved.push({ ...row, state: 'open', answer: null, by: null, at: null }),
      closeAsk: async (id, end) => void Object.assign(find(id) ?? {}, end),
    },
    (event) => events.push(event),
    saved[0]?.ask.turnId ?? null,
    {
      addRule: async (prefix, of, by) => {
        if (refuse.rule) throw new Failure('invalid', 'rules.prefix', 'no');
        done.push(['rule', prefix, of, by]);
      },
      stop: (by) => done.push(['stop', by]),
    },
    (what, error) => done.push([what, error]),
  );
  return { asks, saved, takenBack, events, done, refuse };
}

async function opened(asks: Asks): Promise<string> {
  await Promise.resolve();
  await Promise.resolve();
  return asks.open()[0]?.id ?? '';
}

test('a choice is offered only where it means something', async () => {
  const { asks } = scene();
  void asks.asking(call).approve(command, ['key']);
  await opened(asks);
  expect(asks.open()[0]?.choices?.map(({ id }) => id)).toEqual([
    'once',
    'session',
    'decline',
    'rule',
    'stop',
  ]);
  void asks.asking({ ...call, callId: 'other' }).approve({ what: 'patch' }, []);
  await opened(asks);
  expect(asks.open()[1]?.choices?.map(({ id }) => id)).toEqual(['once', 'decline', 'stop']);
});

test('a rule is saved in the words of the person before the ask ends, and a refused one leaves it open', async () => {
  const { asks, done, refuse, events } = scene();
  const decided = asks.asking(call).approve(command, []);
  const id = await opened(asks);
  refuse.rule = true;
  const answer = { choice: 'rule' as const, rule: ['npm'] };
  await expect(asks.answer(id, answer, 'Ada')).rejects.toMatchObject({ code: 'rules.prefix' });
  expect([asks.open().length, events.map(({ type }) => type)]).toEqual([1, ['ask.opened']]);
  refuse.rule = false;
  await asks.answer(id, { choice: 'rule', rule: ['npm', 'test', '--'] }, 'Ada');
  expect(await decided).toEqual({ allowed: true, scope: 'rule', rule: ['npm', 'test', '--'] });
  expect(done).toEqual([['rule', ['npm', 'test', '--'], 'npm test', 'Ada']]);
  expect(asks.decision('item')).toEqual({
    ...{ outcome: 'answered', choice: 'rule', rule: ['npm', 'test', '--'], by: 'Ada' },
  });
});

test('a rule that nobody edited is the one that was offered', async () => {
  const { asks, done, saved } = scene();
  void asks.asking(call).approve(command, []);
  await asks.answer(await opened(asks), { choice: 'rule' }, null);
  expect(done).toEqual([['rule', ['npm', 'test'], 'npm test', null]]);
  expect(saved[0]?.answer).toEqual({ choice: 'rule', rule: ['npm', 'test'] });
});

test('two who answer at once: the second is told, and one rule is saved', async () => {
  const { asks, done } = scene();
  void asks.asking(call).approve(command, []);
  const id = await opened(asks);
  const ends = await Promise.allSettled([
    asks.answer(id, { choice: 'rule' }, 'Ada'),
    asks.answer(id, { choice: 'rule' }, 'Bob'),
  ]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(done).toHaveLength(1);
});

test('stop declines, then ends the turn; also where a restart came in between', async () => {
  const { asks, done, saved } = scene();
  const decided = asks.asking(call).approve(command, []);
  await asks.answer(await opened(asks), { choice: 'stop' }, 'Ada');
  expect(await decided).toEqual({ allowed: false });
  expect(done).toEqual([['stop', 'Ada']]);
  const again = scene(saved);
  expect(await again.asks.asking(call).approve(command, [])).toEqual({ allowed: false });
  expect(again.done).toEqual([['stop', 'Ada']]);
});

test('after a restart an answer counts for what was asked, and for nothing that became of it', async () => {
  const { asks, saved } = scene();
  const write = { ...command, grants: { write: ['/old'] } };
  void asks.asking(call).approve(write, []);
  await asks.answer(await opened(asks), { choice: 'once' }, null);
  const same = scene(saved);
  expect(await same.asks.asking(call).approve({ ...write, risk: 'root' }, [])).toMatchObject({
    allowed: true,
  });
  const other = scene(saved);
  void other.asks.asking(call).approve({ ...write, grants: { write: ['/new'] } }, []);
  await opened(other.asks);
  expect(other.asks.open()).toMatchObject([{ approval: { grants: { write: ['/new'] } } }]);
});

test('permissions hold until the turn ends, also over a restart within it', async () => {
  const { asks, saved } = scene();
  void asks.asking(call).approve(network, ['permission:network']);
  const id = await opened(asks);
  expect(asks.allowed()).toEqual({});
  await asks.answer(id, { choice: 'once' }, 'Ada');
  const both = (of: Asks) => [of.allowed(), of.allowedBy('permission:network')];
  expect(both(asks)).toEqual([{ network: true }, { how: 'turn', by: 'Ada' }]);
  expect(both(scene(saved).asks)).toEqual([{ network: true }, { how: 'turn', by: 'Ada' }]);
  expect(asks.kept()).toEqual([]);
  await asks.endTurn('turn');
  expect(both(asks)).toEqual([{}, null]);
});

test('whoever still waits when the turn ends is told that nobody answers any more', async () => {
  const { asks, events } = scene();
  const asked = Promise.allSettled([
    asks.asking(call).approve(command, []),
    asks.asking({ ...call, callId: 'other' }).question([]),
  ]);
  await opened(asks);
  await asks.endTurn('turn');
  expect(await asked).toMatchObject([
    { reason: { code: 'ask.ended', details: { outcome: 'withdrawn' } } },
    { reason: { code: 'ask.ended' } },
  ]);
  expect(events.filter(({ type }) => type === 'ask.closed')).toHaveLength(2);
});

test('permissions for the session stay; what was declined gives nothing', async () => {
  const { asks, saved } = scene();
  void asks.asking(call).approve(network, ['permission:network']);
  await asks.answer(await opened(asks), { choice: 'session' }, 'Ada');
  await asks.endTurn('turn');
  const both = (of: Asks) => [of.allowed(), of.allowedBy('permission:network')];
  expect(both(asks)).toEqual([{ network: true }, { how: 'session', by: 'Ada' }]);
  expect(scene(saved).asks.allowed()).toEqual({ network: true });

  const other = scene();
  void other.asks.asking(call).approve(network, ['permission:network']);
  await other.asks.answer(await opened(other.asks), { choice: 'decline' }, null);
  expect(both(other.asks)).toEqual([{}, null]);
});

test('what was allowed for the session is listed, and holds no more once it was taken back', async () => {
  const { asks, saved, takenBack, events } = scene();
  const allow = async (callId: string, approval: Approval, keys: string[], by: string | null) => {
    void asks.asking({ ...call, callId }).approve(approval, keys);
    const id = await opened(asks);
    await asks.answer(id, { choice: 'session' }, by);
    return id;
  };
  const first = await allow('1', { ...command, sandbox: 'none' }, ['command:x'], 'Ada');
  const files = Array.from({ length: 22 }, (_, n) => `/w/${n}`);
  await allow(
    '2',
    { what: 'patch', cwd: '/w', changes: [] },
    files.map((path) => `file:${path}`),
    null,
  );
  await allow('3', network, ['permission:network'], 'Bo');
  const at = expect.stringMatching(/Z$/);
  expect(asks.kept()).toEqual([
    { id: expect.anything(), what: 'permissions', grants: { network: true }, by: 'Bo', at },
    { id: expect.anything(), what: 'patch', paths: files.slice(0, 20), morePaths: 2, by: null, at },
    { id: first, what: 'command', command: 'npm test', cwd: '/w', sandbox: 'none', by: 'Ada', at },
  ]);
  expect(scene(saved).asks.kept()).toEqual(asks.kept());

  events.length = 0;
  // still within the turn that it was allowed in
  for (const { id } of asks.kept().filter(({ what }) => what !== 'patch')) await asks.takeBack(id, 'Mei');
  expect([asks.allowed(), asks.allowedBy('permission:network'), asks.allowedBy('command:x')]).toEqual([
    ...[{}, null, null],
  ]);
  expect(asks.allowedBy('file:/w/21')).toEqual({ how: 'session', by: null });
  expect(events).toMatchObject([
    { type: 'session.updated', patch: { grantCount: 2 } },
    { item: { code: 'session.permissionsTakenBack', details: { by: 'Mei', network: true } } },
    { type: 'session.updated', patch: { grantCount: 1 } },
    { item: { text: 'Mei took back what was allowed for this session: npm test' } },
  ]);
  await expect(asks.takeBack(first, 'Ada')).rejects.toMatchObject({ code: 'grant.unknown' });
  expect(scene(saved, takenBack).asks.kept()).toHaveLength(1);
});

test('where the disk refuses, nothing is taken back', async () => {
  const { asks, takenBack } = scene();
  void asks.asking(call).approve(command, ['command:x']);
  const id = await opened(asks);
  await asks.answer(id, { choice: 'session' }, 'Ada');
  takenBack.push = () => {
    throw new Failure('unavailable', 'state.write', 'full');
  };
  await expect(asks.takeBack(id, 'Bo')).rejects.toMatchObject({ code: 'state.write' });
  expect(asks.allowedBy('command:x')).toEqual({ how: 'session', by: 'Ada' });
});

test('one that two people take back at once is taken back once', async () => {
  const { asks, events } = scene();
  void asks.asking(call).approve(command, ['command:x']);
  const id = await opened(asks);
  await asks.answer(id, { choice: 'session' }, 'Ada');
  const ends = await Promise.allSettled([asks.takeBack(id, 'Ada'), asks.takeBack(id, 'Bo')]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(events.filter(({ type }) => type === 'item.completed')).toHaveLength(1);
});
