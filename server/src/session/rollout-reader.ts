/**
 * Reads rollout files, ours and those Codex wrote, whatever a crash has left in them: what cannot be read is
 * named by line and passed over, and the file is never changed.
 */
import type { Item } from '@tscodex/shared/items';
import { ITEMS_KEPT, WEIGHT_KEPT } from '@tscodex/shared/limits';
import { Failure, messageOf } from '../base/errors.ts';
import { readJsonl } from '../base/jsonl.ts';
import { type ResponseItem, userText } from '../base/response-items.ts';
import { isSaidByPeople } from '../base/said-by-people.ts';
import { itemCompleted } from './codex-items.ts';
import { historyChain, type Segment } from './history-chain.ts';
import { type Appearance, ItemIndex, recordOf } from './item-index.ts';
import { ItemWindow } from './item-window.ts';
import { repairHistory } from './repair-history.ts';
import { threadIdOf } from './rollout-meta.ts';
import {
  type RolloutRecord,
  sessionMeta,
  toResponseItem,
  turnContext,
  turnEvent,
} from './rollout-records.ts';
import { takeTokenCount } from './token-count.ts';
import { UsageTally } from './usage-tally.ts';

export type Rollout = {
  /** `id` is that of the file's name where the first record is unreadable; the rest is then null. */
  meta: { id: string; cwd: string | null; createdAt: string | null; forkedFrom: string | null };
  /**
   * What the model is to see: all of it, or what the last compaction left and everything after. Each call has one
   * output, but for those of the last answer.
   */
  history: ResponseItem[];
  /** The newest items, oldest first. */
  items: Item[];
  /** The oldest of them, where there are older ones; null when `items` is all there is. */
  older: string | null;
  /** Where all of them stand. */
  index: ItemIndex;
  /** Inputs that have reached the file. */
  inputIds: Set<string>;
  /** The last turn, when its end was never recorded. */
  openTurn: { id: string; startedAt: string } | null;
  usage: UsageTally;
  /** Of the next record, where the file is in Codex's paginated form; null: records have no numbers. */
  nextOrdinal: number | null;
  /** The thread that the conversation began in, where its file is not there. */
  missing: string | null;
  /** Numbers, from 1, of the first lines that could not be read, a thousand at the most. */
  damaged: number[];
};

const DAMAGED_LIMIT = 1000;

/** What the model reads in place of an output that no file has. */
const LOST = 'this output was lost';

/**
 * Reads a whole file; null when there is none yet, since it is made at the first record. Throws
 * `rollout.unreadable` when the file system refuses.
 */
export async function readRollout(path: string): Promise<Rollout | null> {
  const fold = new RolloutFold(path);
  const window = new ItemWindow({ items: ITEMS_KEPT, weight: WEIGHT_KEPT });
  const index = new ItemIndex();
  const reading = { fold, index, item: ({ item, isNew }: Appearance) => window.put(item, isNew) };
  try {
    const { segments, missing } = await historyChain(path);
    for (const segment of segments) await readSegment(segment, segment.path === path, reading);
    return { ...fold.result(), missing, items: window.items, older: window.older, index };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unreadable(path, error);
  }
}

/** What the file system says of a rollout file. */
export function unreadable(path: string, error: unknown): Failure {
  return new Failure('unavailable', 'rollout.unreadable', `cannot read ${path}: ${messageOf(error)}`, {
    cause: error,
  });
}

type Reading = { fold: RolloutFold; index: ItemIndex; item(appearance: Appearance): void };

/** `own`: the file itself, not one that it builds on. */
async function readSegment(segment: Segment, own: boolean, { fold, index, item }: Reading): Promise<void> {
  index.begin(segment);
  for await (const line of readJsonl(segment.path)) {
    const record = recordOf(line);
    if (segment.until !== null && (record?.ordinal ?? 0) >= segment.until) break;
    if (record) fold.take(line.number, record, own);
    else if (own) fold.damage(line.number);
    for (const appearance of index.take(line, record)) item(appearance);
  }
  for (const appearance of index.end()) item(appearance);
}

/** Everything but the items. */
class RolloutFold {
  private meta: Rollout['meta'] | undefined;
  private history: ResponseItem[] = [];
  private readonly inputIds = new Set<string>();
  private readonly damaged: number[] = [];
  private openTurn: Rollout['openTurn'] = null;
  private nextOrdinal: number | null = null;
  private readonly usage = new UsageTally();
  /** What Codex's turns are asked of. */
  private model = '';

  constructor(private readonly path: string) {}

  take(line: number, record: RolloutRecord, own: boolean): void {
    if (own && this.nextOrdinal !== null)
      this.nextOrdinal = Math.max(this.nextOrdinal, (record.ordinal ?? -1) + 1);
    if (record.type === 'session_meta' && own) this.takeMeta(line, record);
    else if (record.type === 'response_item') this.takeResponseItem(line, record);
    else if (record.type === 'event_msg' && own) this.takeEvent(record);
    else if (record.type === 'turn_context')
      this.model = turnContext.safeParse(record.payload).data?.model ?? '';
    else if (record.type === 'compacted') this.takeCompacted(record);
    else if (record.type === 'tscodex_item' && typeof record.payload.inputId === 'string')
      this.inputIds.add(record.payload.inputId);
  }

  damage(line: number): void {
    if (this.damaged.length < DAMAGED_LIMIT) this.damaged.push(line);
  }

  result(): Omit<Rollout, 'items' | 'older' | 'index' | 'missing'> {
    const { inputIds, openTurn, nextOrdinal, usage, damaged } = this;
    const meta = this.meta ?? { id: threadIdOf(this.path), cwd: null, createdAt: null, forkedFrom: null };
    const history = repairHistory(this.history, LOST);
    return { meta, history, inputIds, openTurn, nextOrdinal, usage, damaged };
  }

  /** The first one counts: an older fork repeats its parent's further down. */
  private takeMeta(line: number, record: RolloutRecord): void {
    if (this.meta) return;
    const meta = sessionMeta.safeParse(record.payload).data;
    if (!meta) {
      this.damage(line);
      return;
    }
    const { id, timestamp, cwd, forked_from_id: forkedFrom } = meta;
    this.meta = { id, cwd: cwd ?? null, createdAt: timestamp ?? null, forkedFrom: forkedFrom ?? null };
    if (meta.history_mode === 'paginated') this.nextOrdinal = (record.ordinal ?? 0) + 1;
  }

  private takeResponseItem(line: number, record: RolloutRecord): void {
    const inputId = record.tscodex?.inputId;
    // written, but not acknowledged by the disk, and then written again
    if (inputId !== undefined && this.inputIds.has(inputId)) return;
    if (inputId !== undefined) this.inputIds.add(inputId);
    const item = toResponseItem(record.payload, record.tscodex !== undefined);
    if (item === 'damaged') this.damage(line);
    if (typeof item === 'string') return;
    // in older files the mark stands in the record alone
    this.history.push(item.type === 'message' && inputId !== undefined ? { ...item, by_person: true } : item);
  }

  private takeEvent(record: RolloutRecord): void {
    const turn = turnEvent.safeParse(record.payload).data;
    if (!turn) {
      // what a person said through us, where Codex has recorded it
      const said = itemCompleted.safeParse(record.payload).data?.item.client_id;
      if (said) this.inputIds.add(said);
      takeTokenCount(this.usage, record.payload, record.tscodex?.model ?? this.model);
      return;
    }
    const starts = turn.type === 'task_started';
    this.openTurn = starts ? { id: turn.turn_id, startedAt: record.timestamp } : null;
    if (starts) this.usage.turnStarted(turn.turn_id);
    else this.usage.turnEnded(turn.type === 'task_complete' && turn.error === undefined);
  }

  /** With a list: exactly that. Without: Codex sends the user's messages and the summary. */
  private takeCompacted(record: RolloutRecord): void {
    const { replacement_history: list, message } = record.payload;
    if (Array.isArray(list))
      this.history = list
        .map((payload) => toResponseItem(payload, record.tscodex !== undefined))
        .filter((item) => typeof item !== 'string');
    else if (typeof message === 'string')
      this.history = [...this.history.filter(isSaidByPeople), userText(message)];
    this.usage.setContext(null);
  }
}
