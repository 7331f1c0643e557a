/**
 * The records of a conversation as a fork of it has them: in our own form, whatever form they come from, so that
 * Codex and we read the copy alone. Pure.
 */
import type { CommandExecution, Item } from '@tscodex/shared/items';
import * as z from 'zod';
import type { ConversationRecord } from './conversation-records.ts';
import {
  agentMessageRecord,
  eventRecord,
  type RolloutRecord,
  toResponseItem,
  turnEventOf,
  userMessageRecord,
} from './rollout-records.ts';
import { contextAlone } from './token-count.ts';

/** What Codex says of the thread itself, or counts by it. */
const OF_THE_THREAD = new Set([
  'session_meta',
  'world_state',
  'token_usage_record',
  'retained_context',
  'end',
]);

const wrapped = z.object({
  item: z.looseObject({ type: z.enum(['UserMessage', 'AgentMessage']), phase: z.string().optional() }),
});
const words = z.array(z.looseObject({ text: z.string().catch('') })).catch([]);

export class ForkedRecords {
  /** The newest count of what the conversation takes; null: nobody knows. */
  #count: RolloutRecord | null = null;
  #countedInTurn = false;
  /** Commands whose output is kept beside the conversation. */
  readonly longOutputs = new Set<string>();

  /** What a record becomes. */
  of({ record, items, paginated }: ConversationRecord): RolloutRecord[] {
    for (const item of items) if (isLong(item)) this.longOutputs.add(item.id);
    const { ordinal: _, ...plain } = record;
    if (OF_THE_THREAD.has(record.type)) return [];
    if (record.type === 'event_msg') return this.#event(plain, items, paginated);
    if (record.type === 'compacted') this.#count = null;
    if (record.type !== 'response_item' || record.tscodex) return [plain];
    // items get records of their own, with the ids that they have: the mark keeps them from being told twice
    const isKnown = typeof toResponseItem(record.payload, false) !== 'string';
    return [isKnown ? { ...plain, tscodex: {} } : plain, ...items.map((item) => recordOf(item, plain))];
  }

  /** What stands at the end: a turn that was left ends, and what the conversation takes is known. */
  end(openTurn: string | null): RolloutRecord[] {
    const ended = eventRecord('turn_aborted', { turn_id: openTurn, reason: 'interrupted' });
    return [...(openTurn === null ? [] : [ended]), ...(this.#count ? [this.#count] : [])];
  }

  #event(record: RolloutRecord, items: readonly Item[], paginated: boolean): RolloutRecord[] {
    const { type } = record.payload;
    if (type === 'thread_settings_applied') return [];
    if (type === 'token_count') {
      this.#countedInTurn = true;
      this.#count = contextAlone(record);
      return [];
    }
    const turn = turnEventOf(record.payload);
    if (turn?.type === 'task_started') this.#countedInTurn = false;
    // answered without a count: nobody knows any more
    if (turn?.type === 'task_complete' && turn.error === undefined && !this.#countedInTurn)
      this.#count = null;
    if (!paginated || type !== 'item_completed') return [record];
    const said = legacyEvent(record);
    return [...said, ...(record.tscodex ? [] : items.map((item) => recordOf(item, record)))];
  }
}

/** By these Codex lists a session in our form. */
function legacyEvent({ timestamp, payload }: RolloutRecord): RolloutRecord[] {
  const item = wrapped.safeParse(payload).data?.item;
  if (!item) return [];
  const text = words
    .parse(item.content)
    .map((part) => part.text)
    .join('');
  const event = item.type === 'UserMessage' ? userMessageRecord(text) : agentMessageRecord(text, item.phase);
  return [{ ...event, timestamp }];
}

function recordOf(item: Item, { timestamp }: RolloutRecord): RolloutRecord {
  return { timestamp, type: 'tscodex_item', payload: item };
}

function isLong(item: Item): item is CommandExecution {
  return item.type === 'commandExecution' && item.truncated;
}
