/**
 * Reads rollout files, ours and those Codex wrote, whatever a crash has left in them: what cannot be read is
 * named by line and passed over, and the file is never changed.
 */
import type { Item } from '@tscodex/shared/items';
import { Failure, messageOf } from '../base/errors.ts';
import { readJsonl } from '../base/jsonl.ts';
import type { ResponseItem } from '../base/response-items.ts';
import { itemCompleted } from './codex-items.ts';
import { historyChain, type Segment } from './history-chain.ts';
import { HistoryPlace, itemOf } from './history-reader.ts';
import { ItemIndex, recordOf } from './item-index.ts';
import { newestOf } from './item-pages.ts';
import { repairHistory } from './repair-history.ts';
import { threadIdOf } from './rollout-meta.ts';
import { type RolloutRecord, sessionMeta, turnContext, turnEventOf } from './rollout-records.ts';
import { takeTokenCount } from './token-count.ts';
import { UsageTally } from './usage-tally.ts';
import { withoutOutputs } from './without-outputs.ts';

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
 * Reads a whole file; null when there is none yet, since it is made at the first record. First it goes through all of
 * it without the outputs; then it reads what the model is to see, and the newest items, from where they stand. Throws
 * `rollout.unreadable` when the file system refuses.
 */
export async function readRollout(path: string): Promise<Rollout | null> {
  const reading = { fold: new RolloutFold(path), index: new ItemIndex(), place: new HistoryPlace() };
  try {
    const { segments, missing } = await historyChain(path);
    for (const segment of segments) await readSegment(segment, segment.path === path, reading);
    const { fold, index, place } = reading;
    const history = repairHistory(await place.read((line) => fold.damage(line)), LOST);
    return { ...fold.result(), history, missing, ...(await newestOf(index)), index };
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

type Reading = { fold: RolloutFold; index: ItemIndex; place: HistoryPlace };

/** `own`: the file itself, not one that it builds on. */
async function readSegment(segment: Segment, own: boolean, { fold, index, place }: Reading): Promise<void> {
  index.begin(segment);
  place.begin(segment.path);
  let start = { at: 0, number: 1 };
  for await (const line of readJsonl(segment.path, withoutOutputs)) {
    const record = recordOf(line);
    if (segment.until !== null && (record?.ordinal ?? 0) >= segment.until) break;
    place.take(record, start, line.next.at);
    if (!record && own) fold.damage(line.number);
    if (record && !fold.take(line.number, record, own)) place.isAgain(line.number);
    index.take(line, record);
    start = line.next;
  }
  index.end();
}

/** Everything but the items and what the model sees. */
class RolloutFold {
  private meta: Rollout['meta'] | undefined;
  private readonly inputIds = new Set<string>();
  private readonly damaged = new Set<number>();
  private openTurn: Rollout['openTurn'] = null;
  private nextOrdinal: number | null = null;
  private readonly usage = new UsageTally();
  /** What Codex's turns are asked of. */
  private model = '';

  constructor(private readonly path: string) {}

  /** Whether it says anything that has not been said before. */
  take(line: number, record: RolloutRecord, own: boolean): boolean {
    if (own && this.nextOrdinal !== null)
      this.nextOrdinal = Math.max(this.nextOrdinal, (record.ordinal ?? -1) + 1);
    if (record.type === 'session_meta' && own) this.takeMeta(line, record);
    else if (record.type === 'response_item') return this.takeResponseItem(line, record);
    else if (record.type === 'event_msg' && own) this.takeEvent(record);
    else if (record.type === 'turn_context')
      this.model = turnContext.safeParse(record.payload).data?.model ?? '';
    else if (record.type === 'compacted') this.usage.setContext(null);
    else if (record.type === 'tscodex_item' && typeof record.payload.inputId === 'string')
      this.inputIds.add(record.payload.inputId);
    return true;
  }

  damage(line: number): void {
    if (this.damaged.size < DAMAGED_LIMIT) this.damaged.add(line);
  }

  result(): Omit<Rollout, 'history' | 'items' | 'older' | 'index' | 'missing'> {
    const { inputIds, openTurn, nextOrdinal, usage } = this;
    const meta = this.meta ?? { id: threadIdOf(this.path), cwd: null, createdAt: null, forkedFrom: null };
    const damaged = [...this.damaged].sort((a, b) => a - b);
    return { meta, inputIds, openTurn, nextOrdinal, usage, damaged };
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

  private takeResponseItem(line: number, record: RolloutRecord): boolean {
    const inputId = record.tscodex?.inputId;
    // written, but not acknowledged by the disk, and then written again
    if (inputId !== undefined && this.inputIds.has(inputId)) return false;
    if (inputId !== undefined) this.inputIds.add(inputId);
    if (itemOf(record) === 'damaged') this.damage(line);
    return true;
  }

  private takeEvent({ payload, timestamp, tscodex }: RolloutRecord): void {
    const turn = turnEventOf(payload);
    if (turn) {
      const starts = turn.type === 'task_started';
      this.openTurn = starts ? { id: turn.turn_id, startedAt: timestamp } : null;
      if (starts) this.usage.turnStarted(turn.turn_id);
      else this.usage.turnEnded(turn.type === 'task_complete' && turn.error === undefined);
    } else if (payload.type === 'item_completed') {
      // what a person said through us, where Codex has recorded it
      const said = itemCompleted.safeParse(payload).data?.item.client_id;
      if (said) this.inputIds.add(said);
    } else takeTokenCount(this.usage, payload, tscodex?.model ?? this.model);
  }
}
