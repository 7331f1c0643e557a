/** The turns of a conversation, from its file. */
import type { Item } from '@tscodex/shared/items';
import { conversationRecords } from '../../session/conversation-records.ts';
import { turnEventOf } from '../../session/rollout-records.ts';
import { type ItemFacts, threadItem } from './thread-item.ts';
import { begunTurn, errorOf, seconds, type Turn } from './turn.ts';

type Told = { turn: Turn; items: Map<string, Item>; startedAtMs: number };

const STATUS = {
  task_started: 'inProgress',
  task_complete: 'completed',
  turn_aborted: 'interrupted',
} as const;

/**
 * Oldest first, each with all of its items. One that nothing ends was cut, unless it is `running`. Throws
 * `rollout.unreadable`.
 */
export async function turnsOfFile(path: string, facts: ItemFacts, running: string | null): Promise<Turn[]> {
  const turns = new Map<string, Told>();
  let current: string | null = null;
  const of = (id: string, timestamp: string): Told => {
    const told = turns.get(id) ?? {
      turn: begunTurn(id, timestamp || null),
      items: new Map(),
      startedAtMs: Date.parse(timestamp),
    };
    turns.set(id, told);
    return told;
  };
  for await (const { record, items } of conversationRecords(path)) {
    const event = record.type === 'event_msg' ? turnEventOf(record.payload) : undefined;
    if (event) {
      const told = of(event.turn_id, record.timestamp);
      told.turn.status = event.error ? 'failed' : STATUS[event.type];
      current = event.turn_id;
      if (event.type !== 'task_started') end(told, record.timestamp, event.error);
    }
    for (const item of items) {
      // files from before turns were recorded: a message of a person begins one
      if (item.turnId === null && item.type === 'userMessage') current = item.id;
      const id = item.turnId ?? current;
      if (id !== null) of(id, record.timestamp).items.set(item.id, item);
    }
  }
  return [...turns.values()]
    .map(({ turn, items }) => whole(turn, [...items.values()], facts, running))
    .filter(({ items, id }) => items.length > 0 || id === running);
}

function end({ turn, startedAtMs }: Told, timestamp: string, error: unknown): void {
  turn.completedAt = seconds(timestamp);
  turn.durationMs = Math.max(0, Date.parse(timestamp) - startedAtMs);
  const message = (error as { message?: unknown } | null | undefined)?.message;
  if (error)
    turn.error = errorOf({ code: 'turn', message: typeof message === 'string' ? message : 'it failed' });
}

function whole(turn: Turn, items: readonly Item[], facts: ItemFacts, running: string | null): Turn {
  // that an agent was started is done, however long it works
  const done = items.map(
    (item): Item => (item.type === 'subAgent' ? { ...item, status: 'completed' } : item),
  );
  const shown = done.map((item) => threadItem(item, facts)).filter((item) => item !== null);
  const cut = turn.status === 'inProgress' && turn.id !== running;
  return { ...turn, items: shown, itemsView: 'full', status: cut ? 'interrupted' : turn.status };
}
