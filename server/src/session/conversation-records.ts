/** A conversation record by record, through all the files it lies in: for who reads it once, in bounded memory. */
import type { Item } from '@tscodex/shared/items';
import { Failure, messageOf } from '../base/errors.ts';
import { readJsonl } from '../base/jsonl.ts';
import { ItemDeriver } from './derive-items.ts';
import { historyChain, type Segment } from './history-chain.ts';
import { threadIdOf } from './rollout-meta.ts';
import { type RolloutRecord, rolloutRecord, sessionMeta } from './rollout-records.ts';

export type ConversationRecord = {
  /** Its place in the conversation, from 0: the same at every reading. */
  at: number;
  record: RolloutRecord;
  /** What people see from here on; one with a known id replaces the earlier. */
  items: readonly Item[];
  /** Whether its file is in Codex's paginated form. */
  paginated: boolean;
};

/**
 * Oldest first; what cannot be read is passed over. `shortened`: what of a line is to be decoded. Throws
 * `rollout.unreadable`. A conversation without a file has no records.
 */
export async function* conversationRecords(
  path: string,
  shortened?: (line: Buffer) => Buffer,
): AsyncGenerator<ConversationRecord> {
  try {
    let at = 0;
    const { segments } = await historyChain(path);
    for (const segment of segments)
      for await (const found of segmentRecords(segment, shortened)) yield { ...found, at: at++ };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    if (error instanceof Failure) throw error;
    throw new Failure('unavailable', 'rollout.unreadable', `cannot read ${path}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function* segmentRecords(
  { path, until }: Segment,
  shortened?: (line: Buffer) => Buffer,
): AsyncGenerator<Omit<ConversationRecord, 'at'>> {
  const deriver = new ItemDeriver(threadIdOf(path));
  let paginated = false;
  for await (const line of readJsonl(path, shortened)) {
    const record = line.damage === undefined ? rolloutRecord.safeParse(line.value).data : undefined;
    if (until !== null && (record?.ordinal ?? 0) >= until) break;
    if (!record) continue;
    if (record.type === 'session_meta')
      paginated ||= sessionMeta.safeParse(record.payload).data?.history_mode === 'paginated';
    yield { record, items: deriver.take(line.number, record), paginated };
  }
  const items = deriver.end();
  // no record tells more of these: nothing follows
  if (items.length > 0) yield { record: { timestamp: '', type: 'end', payload: {} }, items, paginated };
}
