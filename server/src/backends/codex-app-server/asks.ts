/** What Codex asks of people, as our asks, and their answers as Codex takes them. */
import type { Approval } from '@tscodex/shared/asks';
import type { ToolCall } from '@tscodex/shared/items';
import type { Grants } from '@tscodex/shared/permissions';
import * as z from 'zod';
import type { CodexRules } from '../../approvals/codex-rules.ts';
import { commandKey, fileKey, grantKeysOf } from '../../approvals/session-grants.ts';
import { codexItemId } from '../../session/codex-items.ts';
import type { ApprovalDecision } from '../../tools/tool.ts';
import type { BackendHost } from '../backend.ts';
import type { CodexEvents } from '../codex-events/codex-events.ts';
import { shownCommand } from '../codex-events/thread-item.ts';
import type { CodexRequest } from '../codex-process/connection.ts';
import { elicitedForm } from './elicited-form.ts';

export type AskedIn = {
  host: Pick<BackendHost, 'asking' | 'allowedBy' | 'emit'>;
  rules: Pick<CodexRules, 'offer'>;
  /** Our turn, and what is known of its items. */
  turnId: string;
  events: CodexEvents;
  signal: AbortSignal;
  /** Words for the agent, of whoever has declined. */
  tell(words: string): Promise<void>;
};

const optional = <T>(value: z.ZodType<T>) => value.nullish().catch(undefined);
const base = { turnId: z.string(), itemId: z.string(), reason: optional(z.string()) };

const command = z.object({
  ...base,
  command: optional(z.string()),
  cwd: optional(z.string()),
  networkApprovalContext: optional(z.looseObject({ host: z.string(), protocol: z.string().catch('') })),
  proposedExecpolicyAmendment: optional(z.array(z.string()).min(1)),
  additionalPermissions: z.unknown().optional(),
});
const file = z.object({ ...base, grantRoot: optional(z.string()) });
const permissions = z.object({
  ...base,
  permissions: z.object({
    network: optional(z.object({ enabled: optional(z.boolean()) })),
    fileSystem: optional(
      z.object({ read: optional(z.array(z.string())), write: optional(z.array(z.string())) }),
    ),
  }),
});
const question = z.object({
  ...base,
  questions: z.array(
    z.object({
      id: z.string(),
      header: z.string().catch(''),
      question: z.string(),
      isOther: z.boolean().catch(true),
      options: optional(z.array(z.object({ label: z.string(), description: z.string().catch('') }))),
    }),
  ),
});
/** Characters of what an MCP server says to people. */
const MESSAGE_LIMIT = 4000;

const elicitation = z.object({
  turnId: optional(z.string()),
  serverName: z.string(),
  message: z.string().max(MESSAGE_LIMIT).catch(''),
  mode: optional(z.string()),
  requestedSchema: z.unknown().optional(),
  url: optional(z.string().max(MESSAGE_LIMIT)),
  _meta: optional(
    z.looseObject({
      codex_approval_kind: z.unknown().optional(),
      tool_name: z.string().catch('?'),
      tool_params: z.unknown().optional(),
    }),
  ),
});

type Elicitation = z.infer<typeof elicitation>;

/** What runs a line and nothing else. The agent says which shell it wants: one of its own making would be hidden. */
const SYSTEM_SHELL = /^(\/usr(\/local)?)?\/bin\/\w+ /;

/** For the agent. */
const ONE_THING =
  'A command is only asked about by itself here: run it without further permissions, or ask for these first.';

type Answerer = (params: unknown, request: CodexRequest, asked: AskedIn) => Promise<object | null>;

const ANSWERERS: Readonly<Record<string, Answerer>> = {
  'item/commandExecution/requestApproval': answerCommand,
  'item/fileChange/requestApproval': answerPatch,
  'item/permissions/requestApproval': answerPermissions,
  'item/tool/requestUserInput': answerQuestions,
  'mcpServer/elicitation/request': answerElicitation,
};

/**
 * What Codex is to be answered; null for what nobody here can answer. Rejects with the signal's reason where the turn
 * ends meanwhile.
 */
export async function answerTo(request: CodexRequest, asked: AskedIn): Promise<object | null> {
  const answerer = Object.hasOwn(ANSWERERS, request.method) ? ANSWERERS[request.method] : undefined;
  return answerer ? answerer(request.params, request, asked) : null;
}

async function answerCommand(params: unknown, request: CodexRequest, asked: AskedIn): Promise<object | null> {
  const found = command.safeParse(params).data;
  if (!found) return null;
  const { networkApprovalContext: network, cwd = '', proposedExecpolicyAmendment: rule } = found;
  // what nobody can see is not to be allowed
  if (found.additionalPermissions != null || (found.command && network)) {
    await asked.tell(ONE_THING);
    return { decision: 'decline' };
  }
  const whole = found.command ?? (network ? `${network.protocol}://${network.host}` : '');
  const line = SYSTEM_SHELL.test(whole) ? shownCommand(whole) : whole;
  const approval: Approval = {
    ...{ what: 'command', command: line, cwd: cwd ?? '' },
    ...(found.reason ? { reason: found.reason } : {}),
    ...(rule ? await asked.rules.offer(line, rule) : {}),
  };
  const keys = [commandKey({ command: whole, cwd: cwd ?? '', grants: {} }, false)];
  const decision = await decide(request, found, { approval, keys }, asked);
  if (decision.allowed && decision.scope === 'rule' && decision.rule)
    return { decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: decision.rule } } };
  return { decision: decision.allowed ? 'accept' : 'decline' };
}

async function answerPatch(params: unknown, request: CodexRequest, asked: AskedIn): Promise<object | null> {
  const found = file.safeParse(params).data;
  if (!found) return null;
  const item = asked.events.item(found.turnId, found.itemId);
  // what nobody can see is not to be allowed
  if (item?.type !== 'fileChange' || item.changes.length === 0) return null;
  const paths = item.changes.flatMap(({ path, movedTo }) => (movedTo ? [path, movedTo] : [path]));
  const approval: Approval = {
    ...{ what: 'patch', changes: item.changes },
    ...(found.reason ? { reason: found.reason } : {}),
  };
  const decision = await decide(request, found, { approval, keys: paths.map(fileKey) }, asked);
  return { decision: decision.allowed ? 'accept' : 'decline' };
}

async function answerPermissions(
  params: unknown,
  request: CodexRequest,
  asked: AskedIn,
): Promise<object | null> {
  const found = permissions.safeParse(params).data;
  if (!found) return null;
  const { network, fileSystem } = found.permissions;
  const { read, write } = fileSystem ?? {};
  // nothing is given that was not shown
  const grants: Grants = {
    ...(network?.enabled ? { network: true } : {}),
    ...(read?.length ? { read } : {}),
    ...(write?.length ? { write } : {}),
  };
  const keys = grantKeysOf(grants);
  if (keys.length === 0) return null;
  const approval: Approval = {
    ...{ what: 'permissions', grants },
    ...(found.reason ? { reason: found.reason } : {}),
  };
  const decision = await decide(request, found, { approval, keys }, asked);
  if (!decision.allowed) return { permissions: {}, scope: 'turn' };
  return {
    permissions: {
      ...(grants.network ? { network: { enabled: true } } : {}),
      fileSystem: { read: grants.read ?? null, write: grants.write ?? null },
    },
    // what holds longer is ours to remember: it can be taken back
    scope: 'turn',
  };
}

async function answerQuestions(
  params: unknown,
  request: CodexRequest,
  { host, turnId, events, signal }: AskedIn,
): Promise<object | null> {
  const found = question.safeParse(params).data;
  if (!found) return null;
  const call = callOf(request, found, { turnId, signal });
  const item: ToolCall = {
    ...{
      id: call.itemId,
      type: 'toolCall',
      turnId,
      status: 'inProgress',
      startedAt: new Date().toISOString(),
    },
    ...{ name: 'request_user_input', arguments: JSON.stringify({ questions: found.questions }) },
  };
  events.show(item);
  const questions = found.questions.map(({ isOther, options, ...one }) => ({
    ...{ ...one, allowOther: isOther || !options?.length },
    ...(options?.length ? { options } : {}),
  }));
  const given = await host.asking(call).question(questions);
  const answers = Object.fromEntries(Object.entries(given).map(([id, texts]) => [id, { answers: texts }]));
  const output = JSON.stringify({ answers });
  events.show({ ...item, status: 'completed', completedAt: new Date().toISOString(), output });
  return { answers };
}

/** Leave for a tool of an MCP server, a form of one, or a page of its own. */
async function answerElicitation(
  params: unknown,
  request: CodexRequest,
  asked: AskedIn,
): Promise<object | null> {
  const found = elicitation.safeParse(params).data;
  if (!found) return null;
  const { serverName: server, message: reason, _meta: meta } = found;
  if (meta?.codex_approval_kind !== 'mcp_tool_call') return answerForm(found, request, asked);
  const line = `${server}.${meta.tool_name} ${JSON.stringify(meta.tool_params ?? {})}`;
  const approval: Approval = { what: 'mcp', command: line, ...(reason ? { reason } : {}) };
  const place = { turnId: found.turnId ?? '', itemId: `${request.id}` };
  const keys = [`mcp:${JSON.stringify([server, meta.tool_name])}`];
  const decision = await decide(request, place, { approval, keys }, asked);
  return decision.allowed ? { action: 'accept', content: {} } : { action: 'decline', content: null };
}

async function answerForm(
  { serverName: server, turnId: codexTurn, message, mode, requestedSchema, url }: Elicitation,
  request: CodexRequest,
  { host, turnId, events, signal }: AskedIn,
): Promise<object> {
  const page = mode === 'url' && url != null && isWebPage(url) ? { url } : null;
  const form = mode === 'form' ? elicitedForm(requestedSchema) : null;
  if (!form && !page) {
    const text = `The MCP server ${server} asked for something that cannot be shown here; it was declined.`;
    events.notice('warning', 'codex.elicitation', text, { server });
    return { action: 'decline', content: null };
  }
  const call = callOf(request, { turnId: codexTurn ?? '', itemId: `${request.id}` }, { turnId, signal });
  const answer = await host.asking(call).form({ server, message, ...page }, form?.questions ?? []);
  if ('refuse' in answer) return { action: answer.refuse, content: null };
  return { action: 'accept', content: form ? form.content(answer.answers) : null };
}

function isWebPage(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}

type Place = { turnId: string; itemId: string };

async function decide(
  request: CodexRequest,
  place: Place,
  { approval, keys }: { approval: Approval; keys: string[] },
  { host, turnId, signal, tell }: AskedIn,
): Promise<ApprovalDecision> {
  if (keys.every((key) => host.allowedBy(key) !== null)) return { allowed: true, scope: 'session' };
  const decision = await host.asking(callOf(request, place, { turnId, signal })).approve(approval, keys);
  // Codex takes a no without a why
  if (!decision.allowed && decision.reason) await tell(decision.reason);
  return decision;
}

/** Codex may ask twice about one item, and means something else then. */
function callOf(
  request: CodexRequest,
  { turnId: codexTurn, itemId }: Place,
  { turnId, signal }: { turnId: string; signal: AbortSignal },
) {
  const id = codexItemId(codexTurn, itemId);
  return { turnId, callId: `${id}-${request.id}`, itemId: id, signal };
}
