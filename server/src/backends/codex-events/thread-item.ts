/**
 * An item of Codex's as its app-server tells of it, as ours. Only this folder names what Codex sends while it works;
 * `session/codex-items` reads what it writes.
 */
import type { Item, ItemStatus } from '@tscodex/shared/items';
import { growOutput } from '@tscodex/shared/session-state';
import * as z from 'zod';
import { splitWords } from '../../approvals/split-words.ts';
import { codexItemId, editOf, lineOf, timeOf } from '../../session/codex-items.ts';

export const threadItem = z.looseObject({
  type: z.string(),
  id: z.string(),
  startedAtMs: z.number().nullish().catch(undefined),
  completedAtMs: z.number().nullish().catch(undefined),
});
export type ThreadItem = z.infer<typeof threadItem>;

/** `turnId` is ours, `codexTurn` Codex's; `at` is for what says no time itself. */
export type ItemPlace = { turnId: string; codexTurn: string; at: string };

type Base = Pick<Item, 'id' | 'turnId' | 'status' | 'startedAt' | 'completedAt'>;

const text = z.looseObject({ text: z.string() });
const texts = z
  .array(z.union([text.transform((part) => part.text), z.unknown().transform(() => '')]))
  .catch([])
  .transform((parts) => parts.join(''));
const string = z.string().catch('');
const strings = z.array(z.string()).catch([]);
const json = z
  .unknown()
  .optional()
  .transform((value) => JSON.stringify(value ?? {}));
const optional = <T>(value: z.ZodType<T>) => value.nullish().catch(undefined);

const userMessage = z.object({ clientId: optional(z.string()), content: texts });
const agentMessage = z.object({ text: string, phase: z.unknown().optional() });
const reasoning = z.object({ summary: strings, content: strings });
const command = z.object({
  command: string,
  cwd: string,
  aggregatedOutput: optional(z.string()),
  exitCode: optional(z.number()),
  durationMs: optional(z.number()),
  processId: optional(z.string()),
});
const fileChange = z.object({
  changes: z
    .array(
      z.object({
        path: z.string(),
        kind: z.object({ type: z.string(), move_path: optional(z.string()) }),
        diff: string,
      }),
    )
    .catch([]),
});
const toolCall = z.object({
  tool: z.string().catch('?'),
  server: optional(z.string()),
  arguments: json,
  result: optional(z.looseObject({ content: texts })),
  contentItems: texts,
  error: optional(z.looseObject({ message: z.string() })),
});

const KINDS: Readonly<Record<string, (base: Base, item: ThreadItem) => Item>> = {
  userMessage: (base, item) => {
    const { clientId, content } = userMessage.parse(item);
    const said = { text: content, attachments: [], author: null, mode: 'steer' as const };
    return { ...base, type: 'userMessage', ...said, inputId: clientId ?? base.id };
  },
  agentMessage: (base, item) => {
    const { text, phase } = agentMessage.parse(item);
    const known = phase === 'commentary' ? 'commentary' : phase === 'final_answer' ? 'final' : null;
    return { ...base, type: 'agentMessage', text, ...(known && ({ phase: known } as const)) };
  },
  reasoning: (base, item) => {
    const { summary, content } = reasoning.parse(item);
    const thought = content.join('\n\n');
    return { ...base, type: 'reasoning', summary, ...(thought && { text: thought }) };
  },
  commandExecution: (base, item) => {
    const ran = command.parse(item);
    const started = {
      ...{ ...base, type: 'commandExecution' as const, command: shownCommand(ran.command), cwd: ran.cwd },
      ...{ output: '', outputBytes: 0, truncated: false, sandbox: 'unknown' },
      ...(ran.exitCode == null ? {} : { exitCode: ran.exitCode }),
      ...(ran.processId == null ? {} : { processId: ran.processId }),
      ...(ran.durationMs == null ? {} : { durationMs: ran.durationMs }),
    };
    return growOutput(started, ran.aggregatedOutput ?? '');
  },
  fileChange: (base, item) => {
    const changes = fileChange.parse(item).changes.map(({ path, kind, diff }) => {
      const body = { content: diff, unified_diff: diff.replace(/\n$/, '') };
      return editOf([path, { type: kind.type, move_path: kind.move_path, ...body }]);
    });
    return { ...base, type: 'fileChange', changes };
  },
  mcpToolCall: toolItem,
  dynamicToolCall: toolItem,
  webSearch: (base, item) => ({ ...base, type: 'webSearch', query: string.parse(item.query) }),
  imageView: (base, item) => ({ ...base, type: 'imageView', path: string.parse(item.path) }),
  contextCompaction: (base) => ({
    ...{ ...base, type: 'compaction', reason: 'codex', itemsBefore: 0, itemsAfter: 0 },
  }),
};

/** What a version to come adds is told with all that it says. */
export function itemOf(item: ThreadItem, done: boolean, { turnId, codexTurn, at }: ItemPlace): Item {
  const clientId = item.type === 'userMessage' ? userMessage.parse(item).clientId : null;
  const base: Base = {
    id: codexItemId(codexTurn, item.id, clientId),
    turnId,
    status: statusOf(item.status, done),
    startedAt: timeOf(item.startedAtMs, at),
    ...(done ? { completedAt: timeOf(item.completedAtMs, at) } : {}),
  };
  const kind = Object.hasOwn(KINDS, item.type) ? KINDS[item.type] : undefined;
  if (kind) return kind(base, item);
  const { type, id: _, ...details } = item;
  const words = { level: 'info' as const, code: 'codex.item', text: `Codex: ${type}` };
  return { ...base, type: 'notice', ...words, details: { kind: type, ...details } };
}

/** `bash -lc LINE` is how Codex starts every command; people know the line. */
export function shownCommand(command: string): string {
  const words = splitWords(command);
  const line = words && lineOf(words);
  return words?.length === 3 && line === words[2] ? line : command;
}

function toolItem(base: Base, item: ThreadItem): Item {
  const call = toolCall.parse(item);
  return {
    ...{ ...base, type: 'toolCall', name: call.tool, arguments: call.arguments },
    ...(call.server ? { server: call.server } : {}),
    ...(base.status === 'inProgress' ? {} : { output: call.result?.content ?? call.contentItems }),
    ...(call.error ? { error: call.error.message } : {}),
  };
}

function statusOf(status: unknown, done: boolean): ItemStatus {
  if (!done) return 'inProgress';
  return status === 'failed' || status === 'declined' ? status : 'completed';
}
