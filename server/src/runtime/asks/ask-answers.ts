/** What people may answer to an ask, and what their answer means. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Approval, Ask, AskAnswer } from '@tscodex/shared/asks';
import { Failure } from '../../base/errors.ts';
import type { ApprovalDecision } from '../../tools/tool.ts';
import type { AskRow } from '../session-store.ts';
import { checkAnswered, checkField } from './answer-fields.ts';

/** In the order of their keys, 1 to 4; the last has none. */
const APPROVAL_CHOICES = [
  { id: 'once' as const, label: 'Allow once' },
  { id: 'session' as const, label: 'Allow for this session' },
  { id: 'decline' as const, label: 'Decline' },
  { id: 'rule' as const, label: 'Always allow what begins like it' },
  { id: 'stop' as const, label: 'Decline and stop' },
];

/** What cannot be granted for the session, or by a rule, is not offered so. */
export function approvalBody(
  approval: Approval,
  grants: readonly string[],
): Pick<Ask, 'kind' | 'approval' | 'choices'> {
  const { rule } = approval;
  const choices = APPROVAL_CHOICES.filter(
    ({ id }) => (id !== 'session' || grants.length > 0) && (id !== 'rule' || rule !== undefined),
  );
  return { kind: 'approval', approval, choices };
}

/** Whether an answer to one is an answer to the other. */
export function isSameSubject(
  { approval: one }: Pick<Ask, 'approval'>,
  { approval: other }: Pick<Ask, 'approval'>,
): boolean {
  const subject = ({ what, command, cwd, changes, sandbox, grants }: Approval) =>
    JSON.parse(JSON.stringify({ what, command, cwd, changes, sandbox, grants })) as unknown;
  return !one || !other || isDeepStrictEqual(subject(one), subject(other));
}

/** With the words that were offered where a person changed none. */
export function withRule({ approval }: Ask, answer: AskAnswer): AskAnswer {
  if (!('choice' in answer)) return answer;
  const { rule = approval?.rule, ...rest } = answer;
  return answer.choice === 'rule' && rule ? { ...rest, rule } : rest;
}

export function isStop(answer: AskAnswer): boolean {
  return 'choice' in answer && answer.choice === 'stop';
}

/** Permissions that were allowed once hold until the turn ends, whatever asked for them. */
export function isForTurn({ ask, answer }: AskRow): boolean {
  if (ask.approval?.what !== 'permissions' || answer === null) return false;
  return 'choice' in answer && answer.choice === 'once';
}

/** For the call that asked. */
export function decision(answer: AskAnswer): ApprovalDecision {
  if (!('choice' in answer)) return { allowed: false };
  const { choice, rule } = answer;
  if (choice !== 'decline' && choice !== 'stop')
    return { allowed: true, scope: choice, ...(rule ? { rule } : {}) };
  return { allowed: false, ...(answer.reason ? { reason: answer.reason } : {}) };
}

/** For who answers an ask that has ended. */
export function ended({ ask, state, by, answer }: AskRow): Failure {
  const who = by ? ` by ${by}` : '';
  return new Failure('conflict', 'ask.ended', `This was already ${state}${who}.`, {
    details: { askId: ask.id, outcome: state, by, answer },
  });
}

/** Throws `ask.answer` for what is no whole answer to it, `ask.field` for one that does not fit. */
export function checkFits({ kind, from, questions = [], choices = [] }: Ask, answer: AskAnswer): void {
  if (kind === 'approval' && 'choice' in answer && choices.some(({ id }) => id === answer.choice)) return;
  if (kind === 'question' && 'answers' in answer) {
    const given = new Map(Object.entries(answer.answers));
    const check = from ? checkField : checkAnswered;
    for (const question of questions) check(question, given.get(question.id));
    return;
  }
  if (from && 'refuse' in answer) return;
  throw new Failure('invalid', 'ask.answer', `This ${kind} takes another kind of answer.`);
}
