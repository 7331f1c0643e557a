/**
 * The records of a rollout file: Codex's own, in its legacy form (see `paginated-form` for the other), and
 * `tscodex_item`, ours. The form is that of
 * Codex 0.171.0, which resumes such files, sends only `response_item`s to the model and lists a session by its
 * `event_msg`s; records and fields it does not know it leaves alone.
 */
import type { TurnError, TurnStatus } from '@tscodex/shared/events';
import {
  type Attachment,
  attachment,
  type Compaction,
  compaction,
  type Item,
  type UserMessage,
} from '@tscodex/shared/items';
import * as z from 'zod';
import type { ResponseItem } from '../base/response-items.ts';

export type RolloutRecord = {
  timestamp: string;
  /** Its number in the conversation, from 0, in Codex's paginated form. */
  ordinal?: number | undefined;
  type: string;
  payload: Record<string, unknown>;
  /**
   * Marks a record of ours: its item has, or will have, a `tscodex_item` of its own. `model`: what the tokens of a
   * count went to. `compaction`: the item of a `compacted`, in the same line, so that a crash leaves both or none.
   */
  tscodex?:
    | {
        inputId?: string | undefined;
        attachments?: Attachment[] | undefined;
        model?: string | undefined;
        compaction?: Compaction | undefined;
      }
    | undefined;
};

export type DynamicTool = {
  type: 'function';
  name: string;
  description: string;
  /** A JSON schema. */
  inputSchema: Record<string, unknown>;
};

/** What the first record says about a session. Codex needs the first five. */
export type SessionMeta = {
  id: string;
  timestamp: string;
  cwd: string;
  originator: string;
  cli_version: string;
  /** Its key under `model_providers`: Codex's clients tell by it whether they can go on with the session. */
  model_provider?: string;
  /** The session whose conversation it begins with. */
  forked_from_id?: string;
  /** How it came to be, where that is not by a person's hand. */
  source?: Record<string, unknown>;
  /** Tools that Codex offers its model and has carried out by whoever started it. */
  dynamic_tools?: readonly DynamicTool[];
};

export const rolloutRecord = z.object({
  timestamp: z.string().catch(''),
  ordinal: z.int().nonnegative().optional().catch(undefined),
  type: z.string(),
  // checked by kind later on: copying every payload here would double the time of reading
  payload: z.custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null),
  tscodex: z
    .object({
      inputId: z.string().optional(),
      attachments: z.array(attachment).optional(),
      model: z.string().optional(),
      compaction: compaction.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

export function metaRecord(meta: SessionMeta): RolloutRecord {
  return record('session_meta', meta);
}

/** Where a conversation begins that Codex forked or reverted: in the records before this number of another file. */
const historyBase = z.object({
  thread_id: z.uuid(),
  end_ordinal_exclusive: z.int().nonnegative(),
  /** Bytes of that file. */
  end_byte_offset: z.int().nonnegative().optional().catch(undefined),
});
export type HistoryBase = z.infer<typeof historyBase>;

/** The first record of a file. */
export const sessionMeta = z.object({
  id: z.string(),
  timestamp: z.string().optional(),
  cwd: z.string().optional(),
  forked_from_id: z.string().optional().catch(undefined),
  /** `paginated`: items are recorded as `item_completed`; else they are told from the history. */
  history_mode: z.string().optional().catch(undefined),
  history_base: historyBase.optional().catch(undefined),
});

const turnEvent = z.object({
  type: z.enum(['task_started', 'task_complete', 'turn_aborted']),
  turn_id: z.string(),
  /** Of one that failed. */
  error: z.unknown().optional(),
});
const turnEventTypes = new Set<unknown>(turnEvent.shape.type.options);

/** The payload of an `event_msg` that bounds a turn. Most are of other types, which is seen without parsing them. */
export function turnEventOf(payload: Record<string, unknown>): z.infer<typeof turnEvent> | undefined {
  return turnEventTypes.has(payload.type) ? turnEvent.safeParse(payload).data : undefined;
}

/** The payload of Codex's `turn_context`: what a turn is asked of. */
export const turnContext = z.object({ model: z.string() });

type Shown = Pick<UserMessage, 'inputId' | 'attachments'>;

/** A model-visible item. `shown`: the user message that people see of it, where it is one. */
export function responseRecord(item: ResponseItem, shown?: Shown): RolloutRecord {
  const payload = 'raw' in item ? item.raw : item;
  return { ...record('response_item', payload), tscodex: shown ? markOf(shown) : {} };
}

/** What of a user message is in no other record, should a crash tear off its own. */
function markOf({ inputId, attachments }: Shown): RolloutRecord['tscodex'] {
  return attachments.length ? { inputId, attachments } : { inputId };
}

/** What the model sees from here on in place of all before. `message`: the summary in it. */
export function compactedRecord(
  message: string,
  history: readonly ResponseItem[],
  item: Compaction,
): RolloutRecord {
  const list = history.map((entry) => ('raw' in entry ? entry.raw : entry));
  return { ...record('compacted', { message, replacement_history: list }), tscodex: { compaction: item } };
}

export function itemRecord(item: Item): RolloutRecord {
  return record('tscodex_item', item);
}

export function userMessageRecord(message: string, imagePaths: readonly string[] = []): RolloutRecord {
  return eventRecord('user_message', { message, images: [], local_images: imagePaths, text_elements: [] });
}

export function agentMessageRecord(message: string, phase?: string): RolloutRecord {
  return eventRecord('agent_message', { message, phase: phase ?? null });
}

export function turnStartedRecord(turnId: string): RolloutRecord {
  return eventRecord('task_started', { turn_id: turnId, started_at: Math.floor(Date.now() / 1000) });
}

export type TurnOutcome = {
  status: TurnStatus;
  lastMessage?: string | undefined;
  error?: TurnError | undefined;
};

export function turnEndedRecord(turnId: string, { status, lastMessage, error }: TurnOutcome): RolloutRecord {
  if (status === 'interrupted')
    return eventRecord('turn_aborted', { turn_id: turnId, reason: 'interrupted' });
  return eventRecord('task_complete', {
    turn_id: turnId,
    last_agent_message: lastMessage ?? null,
    ...(error ? { error: { message: error.message, codex_error_info: 'other' } } : {}),
  });
}

export function eventRecord(type: string, fields: Record<string, unknown>): RolloutRecord {
  return record('event_msg', { type, ...fields });
}

function record(type: string, payload: Record<string, unknown>): RolloutRecord {
  return { timestamp: new Date().toISOString(), type, payload };
}

const text = z.object({ type: z.enum(['input_text', 'output_text']), text: z.string() });
const image = z.object({
  type: z.literal('input_image'),
  image_url: z.string(),
  detail: z.string().optional(),
});
/** Parts of a kind we cannot send are left out. */
const content = z
  .array(z.union([text, image, z.unknown().transform(() => null)]))
  .transform((parts) => parts.filter((part) => part !== null));
const output = z.union([z.string(), content, z.object({ content: z.string() }).transform((o) => o.content)]);

const responseItem = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    role: z.enum(['user', 'assistant', 'developer', 'system']),
    content,
    id: z.string().optional(),
    phase: z
      .string()
      .nullish()
      .transform((phase) => phase ?? undefined),
  }),
  z.object({
    type: z.literal('reasoning'),
    id: z.string().optional(),
    summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
    content: z.array(z.object({ type: z.string(), text: z.string() })).nullish(),
    encrypted_content: z.string().nullish(),
  }),
  z.object({
    type: z.literal('function_call'),
    id: z.string().optional(),
    call_id: z.string(),
    name: z.string(),
    namespace: z.string().optional(),
    arguments: z.string().default('{}'),
  }),
  z.object({
    type: z.literal('custom_tool_call'),
    id: z.string().optional(),
    call_id: z.string(),
    name: z.string(),
    input: z.string(),
  }),
  z.object({ type: z.literal('function_call_output'), call_id: z.string(), output }),
  z.object({ type: z.literal('custom_tool_call_output'), call_id: z.string(), output }),
]);
const knownTypes = new Set(responseItem.options.map((option) => option.shape.type.value as string));

/**
 * Reads the payload of a `response_item`. `foreign`: only its writer can send it again, another provider would
 * refuse the whole request.
 */
export function toResponseItem(
  payload: Record<string, unknown>,
  ours: boolean,
): ResponseItem | 'damaged' | 'foreign' {
  const type = payload.type;
  if (typeof type !== 'string') return 'damaged';
  if (knownTypes.has(type)) {
    const parsed = responseItem.safeParse(payload);
    if (!parsed.success) return 'damaged';
    const item = parsed.data as ResponseItem;
    return item.type === 'message' && isMarked(payload) ? { ...item, by_person: true } : item;
  }
  if (type === 'web_search_call') return { type, raw: payload };
  return ours ? { type: 'other', raw: payload } : 'foreign';
}

/** Newer versions of Codex say what a message is made of. */
const passthrough = z.object({
  internal_chat_message_metadata_passthrough: z.object({ content_item_kinds: z.array(z.string()) }),
});

/** Whether it is said to be a person's words. */
function isMarked(payload: Record<string, unknown>): boolean {
  if (payload.by_person === true) return true;
  const made = passthrough.safeParse(payload).data?.internal_chat_message_metadata_passthrough;
  return made?.content_item_kinds.some((kind) => kind.startsWith('user.')) ?? false;
}
