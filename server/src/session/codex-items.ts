/**
 * The items that people see, as Codex records them itself in its paginated form: `item_completed` with the item's
 * name in capitals. What a version to come adds is shown as a plain tool call, never left out.
 */
import { fileURLToPath } from 'node:url';
import type { FileEdit, Item, ItemStatus } from '@tscodex/shared/items';
import { growOutput } from '@tscodex/shared/session-state';
import * as z from 'zod';

export const itemCompleted = z.object({
  type: z.literal('item_completed'),
  turn_id: z.string().nullish(),
  item: z.looseObject({
    type: z.string(),
    id: z.string().optional(),
    client_id: z.string().nullish().catch(undefined),
  }),
  started_at_ms: z.number().optional(),
  completed_at_ms: z.number().optional(),
});
export type ItemCompleted = z.infer<typeof itemCompleted>;

/**
 * The id of an item of Codex's, the same while it happens and when its file is read. What a person said through us has
 * the id that we gave it.
 */
export function codexItemId(turnId: string, itemId: string, clientId?: string | null): string {
  return clientId || `${turnId}-${itemId}`;
}

type Base = Pick<Item, 'id' | 'turnId' | 'startedAt' | 'completedAt'>;

const text = z.looseObject({ text: z.string() });
const texts = z
  .array(z.union([text.transform((part) => part.text), z.unknown().transform(() => '')]))
  .catch([])
  .transform((parts) => parts.join(''));
const status = z
  .string()
  .catch('completed')
  .transform((word): ItemStatus => STATUSES[word] ?? 'completed');
const duration = z
  .object({ secs: z.number(), nanos: z.number() })
  .transform(({ secs, nanos }) => secs * 1000 + Math.round(nanos / 1e6))
  .optional()
  .catch(undefined);
const summaries = z.array(z.string()).catch([]);
const json = z.unknown().transform((value) => JSON.stringify(value ?? {}));

const STATUSES: Readonly<Record<string, ItemStatus>> = {
  completed: 'completed',
  failed: 'failed',
  declined: 'declined',
  in_progress: 'interrupted',
};

const KINDS: Readonly<Record<string, (base: Base, item: Record<string, unknown>) => Item | null>> = {
  UserMessage: (base, item) => {
    const text = texts.parse(item.content);
    return {
      ...{ ...base, status: 'completed', type: 'userMessage', text, attachments: [] },
      ...{ author: null, mode: 'steer', inputId: base.id },
    };
  },
  AgentMessage: (base, item) => {
    const phase = item.phase === 'commentary' ? 'commentary' : item.phase === 'final_answer' ? 'final' : null;
    const said = { text: texts.parse(item.content), ...(phase && ({ phase } as const)) };
    return { ...base, status: 'completed', type: 'agentMessage', ...said };
  },
  Reasoning: (base, item) => {
    const summary = summaryOf(item);
    return summary.length === 0 ? null : { ...base, status: 'completed', type: 'reasoning', summary };
  },
  CommandExecution: (base, item) => {
    const found = command.parse(item);
    const ran = found.duration === undefined ? {} : { durationMs: found.duration };
    const about = {
      command: lineOf(found.command),
      cwd: pathOf(found.cwd),
      exitCode: found.exit_code,
      ...ran,
    };
    const empty = { output: '', outputBytes: 0, truncated: false, sandbox: 'unknown' };
    const started = { ...base, ...about, ...empty, status: found.status, type: 'commandExecution' as const };
    return growOutput(started, found.aggregated_output);
  },
  FileChange: (base, item) => {
    const { changes, status, stderr } = patch.parse(item);
    const error = status === 'completed' || stderr === '' ? {} : { error: stderr };
    return { ...base, status, type: 'fileChange', changes: Object.entries(changes).map(editOf), ...error };
  },
  McpToolCall: (base, item) => {
    const { tool, arguments: args, server, status, result, error } = call.parse(item);
    const said = { output: texts.parse(result?.content), ...(error === undefined ? {} : { error }) };
    return {
      ...base,
      status,
      type: 'toolCall',
      name: tool,
      arguments: args,
      ...(server ? { server } : {}),
      ...said,
    };
  },
  DynamicToolCall: (base, item) => {
    const { tool, arguments: args, status, content_items } = call.parse(item);
    return {
      ...base,
      status,
      type: 'toolCall',
      name: tool,
      arguments: args,
      output: texts.parse(content_items),
    };
  },
  WebSearch: (base, item) => ({
    ...{ ...base, status: 'completed', type: 'webSearch' },
    query: z.string().catch('').parse(item.query),
  }),
  ContextCompaction: (base) => ({
    ...{ ...base, status: 'completed', type: 'compaction', reason: 'codex' },
    ...{ itemsBefore: 0, itemsAfter: 0 },
  }),
};

const command = z.object({
  command: z.array(z.string()).catch([]),
  cwd: z.string().catch(''),
  status,
  aggregated_output: z.string().catch(''),
  exit_code: z.number().nullable().catch(null),
  duration,
});
const patch = z.object({
  changes: z.record(z.string(), z.looseObject({ type: z.string() })).catch({}),
  status,
  stderr: z.string().catch(''),
});
const call = z.object({
  tool: z.string().catch('?'),
  server: z.string().optional().catch(undefined),
  arguments: json,
  status,
  result: z.object({ content: z.unknown() }).optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  content_items: z.unknown(),
});

/** Whether there is an item of it, without making that. */
export function isShown({ item }: ItemCompleted): boolean {
  return item.type !== 'Reasoning' || summaryOf(item).length > 0;
}

function summaryOf(reasoning: Record<string, unknown>): string[] {
  return summaries.parse(reasoning.summary_text);
}

/** null for what people do not see. `id` and `at` (when it was recorded) are for what the record leaves out. */
export function itemOfCodex(completed: ItemCompleted, id: string, at: string): Item | null {
  const base = {
    id,
    turnId: completed.turn_id ?? null,
    startedAt: timeOf(completed.started_at_ms, at),
    completedAt: timeOf(completed.completed_at_ms, at),
  };
  const { item } = completed;
  const kind = Object.hasOwn(KINDS, item.type) ? KINDS[item.type] : undefined;
  if (kind) return kind(base, item);
  const { type: name, id: _, ...rest } = item;
  return { ...base, status: 'completed', type: 'toolCall', name, arguments: JSON.stringify(rest) };
}

/** `at` for what says no time, or one that no calendar has. */
export function timeOf(ms: number | null | undefined, at: string): string {
  const date = new Date(ms ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? at : date.toISOString();
}

/** `bash -lc LINE` is how every command is started; people know the line. */
export function lineOf(argv: readonly string[]): string {
  const [shell, flags, line, ...rest] = argv;
  const isShell = /(^|\/)(ba|z|da)?sh$/.test(shell ?? '') && /^-l?c$/.test(flags ?? '');
  return isShell && line !== undefined && rest.length === 0 ? line : argv.join(' ');
}

function pathOf(cwd: string): string {
  if (!cwd.startsWith('file://')) return cwd;
  try {
    return fileURLToPath(cwd);
  } catch {
    return cwd; // of another system: shown as it is
  }
}

const edit = z.object({
  type: z.string(),
  content: z.string().catch(''),
  unified_diff: z.string().catch(''),
  move_path: z.string().nullish().catch(undefined),
});

/** One entry of a patch, as its file has it. */
export function editOf([path, change]: [string, unknown]): FileEdit {
  const { type, content, unified_diff: diff, move_path: movedTo } = edit.parse(change);
  if (type === 'add') return { path, kind: 'add', diff: wholly('+', content) };
  if (type === 'delete') return { path, kind: 'delete', diff: wholly('-', content) };
  return movedTo ? { path, kind: 'move', movedTo, diff } : { path, kind: 'update', diff };
}

/** A whole file as one hunk. */
function wholly(sign: '+' | '-', content: string): string {
  if (content === '') return '';
  const lines = content.replace(/\n$/, '').split('\n');
  const range = sign === '+' ? `@@ -0,0 +1,${lines.length} @@` : `@@ -1,${lines.length} +0,0 @@`;
  return [range, ...lines.map((line) => sign + line)].join('\n');
}
