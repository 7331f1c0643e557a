/**
 * The items people see, from the records of a rollout file: ours as they were recorded, Codex's as its paginated form
 * has them, and in its legacy form derived from the model-visible history. Ids come from Codex's own, else from thread id and
 * ordinal or the number of the line, so that they are the same at every reading.
 */
import type { Attachment, CommandExecution, Item, ToolCall, UserMessage } from '@tscodex/shared/items';
import { anyItem } from '@tscodex/shared/items';
import { growOutput } from '@tscodex/shared/session-state';
import * as z from 'zod';
import {
  isToolCall,
  isToolOutput,
  type MessageItem,
  type ResponseItem,
  type ToolCallItem,
  type ToolOutputItem,
  textOf,
} from '../base/response-items.ts';
import { isSaidByPeople } from '../base/said-by-people.ts';
import { codexItemId, type ItemCompleted, isShown, itemCompleted, itemOfCodex } from './codex-items.ts';
import { type RolloutRecord, sessionMeta, toResponseItem, turnEventOf } from './rollout-records.ts';

type Call = CommandExecution | ToolCall;

/** What the records before say of those that follow. */
export type DeriverState = {
  turnId: string | null;
  openCalls: ReadonlyMap<string, Call>;
  cwd: string;
  paginated: boolean;
};

/** Calls that may wait for their outputs; of more, the oldest stay without. */
const OPEN_CALLS = 256;

/** Fed with every record of a file in order, gives the items as they appear and change. */
export class ItemDeriver {
  private turnId: string | null;
  private readonly openCalls: Map<string, Call>;
  /** A user message of ours whose own item has not come yet; a crash may have torn it off. */
  private unconfirmed: UserMessage | null = null;
  private readonly inputIds = new Set<string>();
  private cwd: string;
  private paginated: boolean;

  /** `from`: where one that was fed with the records before has stood. */
  constructor(
    private readonly threadId: string,
    from: DeriverState = { turnId: null, openCalls: new Map(), cwd: '', paginated: false },
  ) {
    this.turnId = from.turnId;
    this.openCalls = new Map(from.openCalls);
    this.cwd = from.cwd;
    this.paginated = from.paginated;
  }

  /** From here another one can go on. null: not from here, an item of the records before has yet to be told. */
  state(): DeriverState | null {
    const { turnId, openCalls, cwd, paginated } = this;
    return this.unconfirmed ? null : { turnId, openCalls: new Map(openCalls), cwd, paginated };
  }

  take(line: number, record: RolloutRecord): Item[] {
    if (record.type === 'session_meta') this.takeMeta(record);
    if (record.type === 'event_msg')
      return record.payload.type === 'item_completed' ? this.completed(line, record) : this.turnEvent(record);
    if (record.type === 'tscodex_item') return this.recorded(record);
    if (record.type === 'compacted') return [...this.end(), ...compactionOf(record)];
    if (record.type !== 'response_item') return [];
    const item = toResponseItem(record.payload, record.tscodex !== undefined);
    return typeof item === 'string' ? [] : [...this.end(), ...this.derived(line, record, item)];
  }

  /** The ids of what `take` tells, without making items of most of a long file. */
  takeIds(line: number, record: RolloutRecord): string[] {
    if (record.type !== 'event_msg' || record.payload.type !== 'item_completed')
      return this.take(line, record).map(({ id }) => id);
    const event = this.event(record);
    if (!event || !isShown(event)) return [];
    return [...this.end().map(({ id }) => id), this.codexIdOf(event, this.idOf(line, record))];
  }

  /** What is known only now that nothing follows. */
  end(): Item[] {
    const item = this.unconfirmed;
    this.unconfirmed = null;
    return item ? [item] : [];
  }

  private takeMeta(record: RolloutRecord): void {
    const meta = sessionMeta.safeParse(record.payload).data;
    this.cwd ||= meta?.cwd ?? '';
    this.paginated ||= meta?.history_mode === 'paginated';
  }

  private event(record: RolloutRecord): ItemCompleted | undefined {
    // one of ours has its own record
    const event = record.tscodex ? undefined : itemCompleted.safeParse(record.payload).data;
    if (event?.item.id !== undefined) this.openCalls.delete(event.item.id);
    return event;
  }

  private completed(line: number, record: RolloutRecord): Item[] {
    const event = this.event(record);
    const item =
      event && itemOfCodex(event, this.codexIdOf(event, this.idOf(line, record)), record.timestamp);
    return item ? [...this.end(), item] : [];
  }

  private codexIdOf({ turn_id: turnId, item }: ItemCompleted, otherwise: string): string {
    if (item.id === undefined || !turnId) return otherwise;
    return codexItemId(turnId, item.id, item.type === 'UserMessage' ? item.client_id : null);
  }

  private idOf(line: number, { ordinal = line }: RolloutRecord): string {
    return `${this.threadId}-${ordinal}`;
  }

  private turnEvent(record: RolloutRecord): Item[] {
    const event = turnEventOf(record.payload);
    if (!event) return [];
    this.turnId = event.type === 'task_started' ? event.turn_id : null;
    return this.end();
  }

  private recorded(record: RolloutRecord): Item[] {
    const item = anyItem.safeParse(record.payload).data as Item | undefined;
    if (!item) return [];
    if (item.type !== 'userMessage') return [...this.end(), item];
    if (item.inputId === this.unconfirmed?.inputId) this.unconfirmed = null;
    // written twice where the disk did not acknowledge the first time
    const again = this.inputIds.has(item.inputId);
    this.inputIds.add(item.inputId);
    return again ? this.end() : [...this.end(), item];
  }

  private derived(line: number, record: RolloutRecord, item: ResponseItem): Item[] {
    const base = {
      id: this.idOf(line, record),
      turnId: this.turnId,
      status: 'completed' as const,
      startedAt: record.timestamp,
      completedAt: record.timestamp,
    };
    const ours = record.tscodex;
    if (ours) {
      if (item.type === 'message' && item.role === 'user' && ours.inputId && !this.inputIds.has(ours.inputId))
        this.unconfirmed = { ...base, ...userFields(item, ours.inputId, ours.attachments) };
      return [];
    }
    if (isToolCall(item)) {
      const call = {
        ...base,
        // of a command that was cut there is no other record
        id: this.paginated && this.turnId !== null ? codexItemId(this.turnId, item.call_id) : base.id,
        ...{ status: 'interrupted' as const, ...callFields(item, this.cwd) },
      };
      this.opened(item.call_id, call);
      return this.paginated ? [] : [call];
    }
    if (isToolOutput(item)) {
      const shown = this.answered(item, record.timestamp);
      // of a command that was cut there is no item
      return this.paginated ? shown.filter(({ status }) => status === 'interrupted') : shown;
    }
    if (this.paginated) return [];
    if (item.type === 'message') return messageItems(base, item);
    if (item.type === 'reasoning' && item.summary.length > 0)
      return [{ ...base, type: 'reasoning', summary: item.summary.map((part) => part.text) }];
    if (item.type === 'web_search_call') return [{ ...base, type: 'webSearch', query: queryOf(item.raw) }];
    return [];
  }

  private opened(callId: string, call: Call): void {
    this.openCalls.set(callId, call);
    if (this.openCalls.size > OPEN_CALLS) this.openCalls.delete(this.openCalls.keys().next().value as string);
  }

  private answered(item: ToolOutputItem, at: string): Item[] {
    const call = this.openCalls.get(item.call_id);
    if (!call) return [];
    this.openCalls.delete(item.call_id);
    const text =
      typeof item.output === 'string'
        ? item.output
        : textOf({ type: 'message', role: 'user', content: item.output });
    const done = { ...call, completedAt: at, status: 'completed' as const };
    return [done.type === 'toolCall' ? { ...done, output: text } : commandResult(done, text)];
  }
}

type Base = Pick<Item, 'id' | 'turnId' | 'status' | 'startedAt' | 'completedAt'>;

function messageItems(base: Base, item: MessageItem): Item[] {
  if (item.role === 'user') return isSaidByPeople(item) ? [{ ...base, ...userFields(item, base.id) }] : [];
  if (item.role !== 'assistant') return [];
  const phase =
    item.phase === 'commentary' ? 'commentary' : item.phase === 'final_answer' ? 'final' : undefined;
  return [{ ...base, type: 'agentMessage', text: textOf(item), ...(phase ? { phase } : {}) }];
}

function userFields(item: MessageItem, inputId: string, attachments: Attachment[] = []) {
  return {
    type: 'userMessage' as const,
    text: textOf(item),
    attachments,
    author: null,
    mode: 'steer' as const,
    inputId,
  };
}

function compactionOf({ tscodex }: RolloutRecord): Item[] {
  return tscodex?.compaction ? [tscodex.compaction] : [];
}

const commandArguments = z.object({
  cmd: z.string().optional(),
  command: z.union([z.string(), z.array(z.string()).transform((argv) => argv.join(' '))]).optional(),
  workdir: z.string().optional(),
});

function callFields(item: ToolCallItem, cwd: string) {
  const written = item.type === 'function_call' ? item.arguments : item.input;
  const args = commandArguments.safeParse(parsed(written)).data;
  const command = args?.cmd ?? args?.command;
  if (['exec_command', 'shell', 'shell_command'].includes(item.name) && command !== undefined)
    return {
      type: 'commandExecution' as const,
      command,
      cwd: args?.workdir ?? cwd,
      output: '',
      outputBytes: 0,
      truncated: false,
      sandbox: 'unknown',
    };
  const server = item.type === 'function_call' ? item.namespace?.replace(/^mcp__/, '') : undefined;
  return {
    type: 'toolCall' as const,
    name: item.name,
    arguments: written,
    ...(server === undefined ? {} : { server }),
  };
}

/** Codex tells the model the exit code in words, then the output below a line of its own. */
function commandResult(item: CommandExecution, text: string): CommandExecution {
  const exit = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(text)?.[1];
  const output = /^Output:\n/m.exec(text);
  const shown = output ? text.slice(output.index + output[0].length) : text;
  const exitCode = exit === undefined ? null : Number(exit);
  const aborted = shown.endsWith('aborted by user');
  const status = aborted ? 'interrupted' : exitCode ? 'failed' : 'completed';
  return growOutput({ ...item, status, exitCode }, shown);
}

function queryOf(raw: Record<string, unknown>): string {
  return z.object({ action: z.object({ query: z.string() }) }).safeParse(raw).data?.action.query ?? '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // free text, or arguments the model got wrong: shown as they are
  }
}
