/** An item as `codex exec --json` tells of it, as ours. It says less than the app-server does: no diffs, no times. */
import type { FileEdit, Item, ItemStatus } from '@tscodex/shared/items';
import { growOutput } from '@tscodex/shared/session-state';
import * as z from 'zod';
import { codexItemId } from '../../session/codex-items.ts';
import { shownCommand } from './thread-item.ts';

export const execItem = z.looseObject({ type: z.string(), id: z.string() });
export type ExecItem = z.infer<typeof execItem>;

/** `cwd`: where the session works, which the items do not say. */
export type ExecPlace = { turnId: string; cwd: string; startedAt: string; now: string };

type Base = Pick<Item, 'id' | 'turnId' | 'status' | 'startedAt' | 'completedAt'>;
type Kind = (base: Base, item: ExecItem, place: ExecPlace) => Item;

const string = z.string().catch('');
const command = z.object({
  command: string,
  aggregated_output: string,
  exit_code: z.number().nullish().catch(null),
});
const change = z.object({ path: z.string(), kind: z.enum(['add', 'update', 'delete']).catch('update') });
const fileChange = z.object({ changes: z.array(z.unknown()).catch([]) });
const content = z
  .array(
    z.union([
      z.looseObject({ text: z.string() }).transform(({ text }) => text),
      z.unknown().transform(() => ''),
    ]),
  )
  .catch([])
  .transform((parts) => parts.join(''));
const toolCall = z.object({
  tool: z.string().catch('?'),
  server: z.string().nullish().catch(undefined),
  arguments: z.unknown().transform((value) => JSON.stringify(value ?? {})),
  result: z.looseObject({ content }).nullish().catch(undefined),
  error: z.looseObject({ message: z.string() }).nullish().catch(undefined),
});
const todo = z.object({ text: z.string(), completed: z.boolean().catch(false) });
const todoList = z.object({ items: z.array(todo).catch([]) });

const KINDS: Readonly<Record<string, Kind>> = {
  agent_message: (base, item) => ({ ...base, type: 'agentMessage', text: string.parse(item.text) }),
  reasoning: (base, item) => ({ ...base, type: 'reasoning', summary: [string.parse(item.text)] }),
  command_execution: (base, item, { cwd }) => {
    const ran = command.parse(item);
    const started = {
      ...{ ...base, type: 'commandExecution' as const, command: shownCommand(ran.command), cwd },
      ...{ output: '', outputBytes: 0, truncated: false, sandbox: 'unknown' },
      ...(ran.exit_code == null ? {} : { exitCode: ran.exit_code }),
    };
    return growOutput(started, ran.aggregated_output);
  },
  file_change: (base, item) => {
    const changes = fileChange.parse(item).changes.flatMap((one): FileEdit[] => {
      const edit = change.safeParse(one).data;
      return edit ? [{ ...edit, diff: '' }] : [];
    });
    return { ...base, type: 'fileChange', changes };
  },
  mcp_tool_call: (base, item) => {
    const call = toolCall.parse(item);
    return {
      ...{ ...base, type: 'toolCall', name: call.tool, arguments: call.arguments },
      ...(call.server ? { server: call.server } : {}),
      ...(base.status === 'inProgress' ? {} : { output: call.result?.content ?? '' }),
      ...(call.error ? { error: call.error.message } : {}),
    };
  },
  web_search: (base, item) => ({ ...base, type: 'webSearch', query: string.parse(item.query) }),
  todo_list: (base, item) => ({
    ...{ ...base, type: 'plan', status: 'completed', completedAt: base.completedAt ?? base.startedAt },
    steps: todoList.parse(item).items.map(({ text: step, completed }) => ({
      ...{ step, status: completed ? ('completed' as const) : ('pending' as const) },
    })),
  }),
};

/** What a version to come adds is told with all that it says. */
export function itemOfExec(item: ExecItem, done: boolean, place: ExecPlace): Item {
  const base: Base = {
    id: codexItemId(place.turnId, item.id),
    turnId: place.turnId,
    status: statusOf(item.status, done),
    startedAt: place.startedAt,
    ...(done ? { completedAt: place.now } : {}),
  };
  const kind = Object.hasOwn(KINDS, item.type) ? KINDS[item.type] : undefined;
  if (kind) return kind(base, item, place);
  const { type, id: _, ...details } = item;
  const words = { level: 'info' as const, code: 'codex.item', text: `Codex: ${type}` };
  return { ...base, type: 'notice', ...words, details: { kind: type, ...details } };
}

function statusOf(status: unknown, done: boolean): ItemStatus {
  if (!done) return 'inProgress';
  return status === 'failed' || status === 'declined' ? status : 'completed';
}
