import type { Approval, Ask } from '@tscodex/shared/asks';
import { BRIEF_LIMIT } from '@tscodex/shared/limits';
import { expect, test } from 'vitest';
import { askBrief } from './ask-brief.ts';

const ask: Ask = {
  ...{ id: 'a', sessionId: 's', turnId: 't', kind: 'approval', openedAt: '2026-01-01T00:00:00.000Z' },
  approval: { what: 'command', command: 'make test', cwd: '/work' },
};

test('a command is told as it is, with where it would run and what holds it in', () => {
  const { id, kind, openedAt } = ask;
  const told = { id, kind, openedAt, what: 'command', cwd: '/work', text: 'make test', cut: false };
  expect(askBrief(ask)).toEqual(told);
  const unconfined: Ask = { ...ask, approval: { what: 'command', command: 'make test', sandbox: 'none' } };
  expect(askBrief(unconfined).sandbox).toBe('none');
});

test('a patch is told by its paths, a question by its words', () => {
  const changes = ['a.ts', 'b.ts'].map((path) => ({ path, kind: 'add' as const, diff: '' }));
  expect(askBrief({ ...ask, approval: { what: 'patch', changes } }).text).toBe('a.ts\nb.ts');
  const question = { id: 'q', header: 'Name', question: 'Which name?', allowOther: true };
  const { approval: _approval, ...rest } = ask;
  expect(askBrief({ ...rest, kind: 'question', questions: [question] })).toMatchObject({
    kind: 'question',
    text: 'Which name?',
  });
});

test('what it may do beyond its sandbox, and what is dangerous, is told; of permissions the reason', () => {
  const grants = { network: true as const, write: ['/srv/out'] };
  const risky: Ask = { ...ask, approval: { what: 'command', command: 'rm -rf x', grants, risk: 'delete' } };
  expect(askBrief(risky)).toMatchObject({ grants, risk: 'delete', text: 'rm -rf x' });
  const asked: Ask = { ...ask, approval: { what: 'permissions', reason: 'npm fetches.', grants } };
  expect(askBrief(asked)).toMatchObject({ what: 'permissions', grants, text: 'npm fetches.' });
});

test('a command comes with the reason and the rule that asks, a long one cut', () => {
  const because = { pattern: ['npm', 'ci'], justification: 'It costs money.' };
  const command = { what: 'command', command: 'npm ci', because } as const;
  const told = (reason: string) => askBrief({ ...ask, approval: { ...command, reason } });
  expect(told('to build')).toMatchObject({ reason: 'to build', because, cut: false });
  expect(told('x'.repeat(BRIEF_LIMIT + 1)).reason).toHaveLength(BRIEF_LIMIT);
  const asked: Ask = { ...ask, approval: { what: 'permissions', reason: 'npm fetches.' } };
  expect(askBrief(asked)).not.toHaveProperty('reason');
});

test('what is too long says so', () => {
  const command = 'x'.repeat(BRIEF_LIMIT + 1);
  const brief = askBrief({ ...ask, approval: { what: 'command', command } });
  expect(brief.text).toHaveLength(BRIEF_LIMIT);
  expect(brief.cut).toBe(true);
});

test.each([
  'ls -la \u202e# ; hs | live',
  `ls -la${'\n'.repeat(80)}touch evil`,
  `ls${'\u3164'.repeat(200)}; touch evil`,
])('what hides a part of itself is not decided from afar: %j', (command) => {
  expect(askBrief({ ...ask, approval: { what: 'command', command } })).toMatchObject({
    text: command,
    cut: true,
  });
});

test('nor where a place hides a part of itself', () => {
  const sly = '/work/\u202eb';
  const cut = (approval: Partial<Approval>) =>
    askBrief({ ...ask, approval: { what: 'command', command: 'make', cwd: '/work', ...approval } }).cut;
  expect([cut({ cwd: sly }), cut({ grants: { write: [sly] } }), cut({ grants: { read: [sly] } })]).toEqual([
    true,
    true,
    true,
  ]);
});
