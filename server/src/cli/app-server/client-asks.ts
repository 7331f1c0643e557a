/**
 * What people are asked in a session, as a client of Codex's app-server is asked (0.171.0, observed), and its answers.
 * Each ends once: what was answered elsewhere or fell away with its turn is told as resolved.
 */
import type { Approval, Ask, AskAnswer, Question } from '@tscodex/shared/asks';
import type { Grants } from '@tscodex/shared/permissions';
import * as z from 'zod';
import { actionsOf, shellLine } from './thread-item.ts';

export type ClientRequest = {
  method: string;
  params: Record<string, unknown>;
  /** What the client's result means; what is none of the known answers declines. */
  answer(result: unknown): AskAnswer;
};

/** null for what this protocol has no request for. */
export function requestOf(ask: Ask): ClientRequest | null {
  const place = { threadId: ask.sessionId, turnId: ask.turnId, itemId: ask.itemId ?? ask.id };
  const startedAtMs = Date.parse(ask.openedAt);
  if (ask.kind === 'question') return questionRequest(ask.questions ?? [], place);
  const { approval } = ask;
  switch (approval?.what) {
    case 'command':
      return commandRequest(ask, approval, { ...place, startedAtMs });
    case 'patch':
      return {
        method: 'item/fileChange/requestApproval',
        params: { ...place, startedAtMs, reason: reasonOf(approval) ?? null, grantRoot: null },
        answer: (result) => decided(result, ask),
      };
    case 'permissions':
      return permissionsRequest(ask, approval, { ...place, startedAtMs });
    default:
      return null;
  }
}

const decision = z.object({
  decision: z.union([
    z.enum(['accept', 'acceptForSession', 'decline', 'cancel']),
    z.object({
      acceptWithExecpolicyAmendment: z.object({ execpolicy_amendment: z.array(z.string()).min(1) }),
    }),
  ]),
});

const UNKNOWN_ANSWER: AskAnswer = {
  choice: 'decline',
  reason: 'The client gave no answer that is known here.',
};

function commandRequest(ask: Ask, approval: Approval, place: Record<string, unknown>): ClientRequest {
  const { command = '', cwd, rule } = approval;
  const reason = reasonOf(approval);
  const offered = new Set(ask.choices?.map(({ id }) => id));
  const amendment = rule && offered.has('rule') ? rule : null;
  const availableDecisions = [
    'accept',
    ...(offered.has('session') ? ['acceptForSession'] : []),
    ...(amendment ? [{ acceptWithExecpolicyAmendment: { execpolicy_amendment: amendment } }] : []),
    ...['decline', 'cancel'],
  ];
  return {
    method: 'item/commandExecution/requestApproval',
    params: {
      ...{ kind: 'command', ...place, environmentId: 'local' },
      ...(reason === undefined ? {} : { reason }),
      ...{ command: shellLine(command), cwd: cwd ?? null, commandActions: actionsOf(command) },
      ...(amendment ? { proposedExecpolicyAmendment: amendment } : {}),
      availableDecisions,
    },
    answer: (result) => decided(result, ask),
  };
}

function decided(result: unknown, { choices = [] }: Ask): AskAnswer {
  const given = decision.safeParse(result).data?.decision;
  if (given === undefined) return UNKNOWN_ANSWER;
  const may = (id: string) => choices.some((choice) => choice.id === id);
  if (typeof given === 'object')
    return may('rule')
      ? { choice: 'rule', rule: given.acceptWithExecpolicyAmendment.execpolicy_amendment }
      : UNKNOWN_ANSWER;
  if (given === 'cancel') return { choice: 'stop' };
  if (given === 'decline') return { choice: 'decline' };
  return { choice: given === 'acceptForSession' && may('session') ? 'session' : 'once' };
}

const permissions = z.object({
  permissions: z.object({
    network: z.object({ enabled: z.boolean().nullish() }).nullish(),
    fileSystem: z
      .object({ read: z.array(z.string()).nullish(), write: z.array(z.string()).nullish() })
      .nullish(),
  }),
  scope: z.enum(['turn', 'session']).catch('turn'),
});

function permissionsRequest(
  { choices = [] }: Ask,
  approval: Approval,
  place: Record<string, unknown>,
): ClientRequest {
  const { grants = {}, cwd } = approval;
  const entries = [
    ...(grants.read ?? []).map((path) => ({ path: { type: 'path', path }, access: 'read' })),
    ...(grants.write ?? []).map((path) => ({ path: { type: 'path', path }, access: 'write' })),
  ];
  const fileSystem = entries.length > 0 && {
    read: grants.read ?? null,
    write: grants.write ?? null,
    entries,
  };
  const asked = { network: grants.network ? { enabled: true } : null, fileSystem: fileSystem || null };
  return {
    method: 'item/permissions/requestApproval',
    params: {
      ...{ ...place, environmentId: 'local', cwd: cwd ?? null },
      ...{ reason: approval.reason ?? null, permissions: asked },
    },
    answer(result) {
      const given = permissions.safeParse(result).data;
      if (!given) return UNKNOWN_ANSWER;
      const forSession = given.scope === 'session' && choices.some(({ id }) => id === 'session');
      if (coversAll(given.permissions, grants)) return { choice: forSession ? 'session' : 'once' };
      return { choice: 'decline', reason: 'Not all of these permissions were given; ask for fewer.' };
    },
  };
}

/** They are given whole or not at all. */
function coversAll(
  given: z.infer<typeof permissions>['permissions'],
  { network, read, write, unconfined }: Grants,
): boolean {
  const has = (paths: readonly string[] | undefined, all: readonly string[] | null | undefined) =>
    (paths ?? []).every((path) => all?.includes(path));
  const { fileSystem } = given;
  if (unconfined || (network && given.network?.enabled !== true)) return false;
  return has(read, fileSystem?.read) && has(write, fileSystem?.write);
}

const answers = z.object({
  answers: z.record(z.string(), z.object({ answers: z.array(z.string()) })),
});

function questionRequest(questions: readonly Question[], place: Record<string, unknown>): ClientRequest {
  return {
    method: 'item/tool/requestUserInput',
    params: {
      ...place,
      questions: questions.map(({ allowOther, options, ...question }) => ({
        ...{ ...question, isOther: allowOther, isSecret: false, options: options ?? null },
      })),
      ...{ isBlocking: true, autoResolutionMs: null },
    },
    answer(result) {
      const given = answers.safeParse(result).data?.answers ?? {};
      const of = (id: string) => (Object.hasOwn(given, id) ? given[id]?.answers : undefined) ?? [];
      // a question that was passed over is answered with nothing
      return { answers: Object.fromEntries(questions.map(({ id }) => [id, of(id).length ? of(id) : ['']])) };
    },
  };
}

/** With what the command is given beyond its sandbox: nobody is to allow what they cannot see. */
function reasonOf({ reason, grants, sandbox, because }: Approval): string | undefined {
  const parts = [
    reason,
    because?.justification,
    sandbox === 'none' ? 'Nothing confines it.' : undefined,
    grants?.network ? 'It wants the network.' : undefined,
    grants?.read?.length ? `It wants to read ${grants.read.join(', ')}.` : undefined,
    grants?.write?.length ? `It wants to write to ${grants.write.join(', ')}.` : undefined,
  ].filter((part) => part !== undefined && part !== '');
  return parts.length > 0 ? parts.join(' ') : undefined;
}
