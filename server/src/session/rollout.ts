/**
 * Writes a session's conversation to its rollout file, the one truth of its history. The file is made at the
 * first record, whole sessions are listed and resumed by Codex as well, and one writer at a time is let in.
 */
import { join } from 'node:path';
import type { Compaction, Item, Notice, UserMessage } from '@tscodex/shared/items';
import type { FileLock } from '../base/file-lock.ts';
import { JsonlWriter } from '../base/jsonl.ts';
import { type MessageItem, type ResponseItem, textOf } from '../base/response-items.ts';
import { PaginatedForm } from './paginated-form.ts';
import type { Rollout } from './rollout-reader.ts';
import {
  agentMessageRecord,
  compactedRecord,
  itemRecord,
  metaRecord,
  type RolloutRecord,
  responseRecord,
  type SessionMeta,
  type TurnOutcome,
  turnEndedRecord,
  turnStartedRecord,
  userMessageRecord,
} from './rollout-records.ts';
import { tokenCountRecord } from './token-count.ts';
import type { UsageTally } from './usage-tally.ts';
import { takeWriterLock } from './writer-lock.ts';

/** Where a new session's file goes: by day and second of local time, as Codex names its own. */
export function rolloutPath(codexHome: string, sessionId: string, now = new Date()): string {
  const two = (n: number) => String(n).padStart(2, '0');
  const [year, month, day] = [String(now.getFullYear()), two(now.getMonth() + 1), two(now.getDate())];
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('-');
  return join(
    codexHome,
    'sessions',
    year,
    month,
    day,
    `rollout-${year}-${month}-${day}T${time}-${sessionId}.jsonl`,
  );
}

/** One input as people see it and as the model does, and where its images are. */
export type RecordedInput = {
  item: UserMessage;
  message: MessageItem;
  /** What the model is told about the message before it. */
  note?: MessageItem;
  /** What the model reads below the message: what skills say that it names. */
  skills?: readonly MessageItem[];
  imagePaths?: readonly string[];
};

/** What has woken the agent, as the model reads it and as people see it. */
export type RecordedWake = { message: MessageItem; items: readonly Notice[] };

/**
 * Every method rejects with `file.write` when the disk refuses; the file then ends with the last record that was
 * acknowledged, and later records may succeed again.
 */
export class RolloutWriter {
  /** Whether the file has the ids of messages. */
  readonly namesInputs: boolean = true;
  private readonly file: JsonlWriter;
  private form: PaginatedForm | null = null;

  private constructor(
    readonly path: string,
    meta: SessionMeta,
    private readonly lock: FileLock,
  ) {
    this.file = new JsonlWriter(path, () => [metaRecord(meta)]);
  }

  /**
   * Takes the session's writer lock, which Codex respects too; writes nothing yet. `meta` is used only when the
   * file has no record. Throws `session.locked`.
   */
  static open(options: { codexHome: string; path: string; meta: SessionMeta }): RolloutWriter {
    const lock = takeWriterLock(options.codexHome, options.meta.id);
    return new RolloutWriter(options.path, options.meta, lock);
  }

  /** Before the first record: goes on in the form that the file has, as it was read. */
  goOnIn({ meta, nextOrdinal, openTurn }: Pick<Rollout, 'meta' | 'nextOrdinal' | 'openTurn'>): void {
    this.form = nextOrdinal === null ? null : new PaginatedForm(meta.id, nextOrdinal, openTurn?.id ?? null);
  }

  /**
   * User messages as the model and as people see them, what has woken the agent before them, and the start of the
   * turn they begin, all in one write: there is no turn without its inputs. Resolves once they are on disk.
   */
  async recordInputs(
    inputs: readonly RecordedInput[],
    startedTurn?: string,
    woken: RecordedWake | null = null,
  ): Promise<void> {
    await this.append([
      ...(startedTurn === undefined ? [] : [turnStartedRecord(startedTurn)]),
      ...(woken ? [responseRecord(woken.message), ...woken.items.map(itemRecord)] : []),
      ...inputs.flatMap(({ item, message, note, skills = [], imagePaths = [] }) => [
        ...(note ? [responseRecord(note)] : []),
        responseRecord(message, item),
        userMessageRecord(item.text, imagePaths),
        itemRecord(item),
        ...skills.map((skill) => responseRecord(skill)),
      ]),
    ]);
    await this.sync();
  }

  /** Items of the model-visible history. Resolves once they are written. */
  recordItems(items: readonly ResponseItem[]): Promise<void> {
    return this.append(items.flatMap(recordsOf));
  }

  /** An item as people see it; one with the same id replaces the earlier. Resolves once it is written. */
  recordItem(item: Item): Promise<void> {
    return this.append([itemRecord(item)]);
  }

  /**
   * That the model sees `history` from here on in place of all before, and the item that shows it, in one record.
   * Resolves once it is on disk.
   */
  async recordCompaction(compacted: {
    message: string;
    history: readonly ResponseItem[];
    item: Compaction;
  }): Promise<void> {
    await this.append([compactedRecord(compacted.message, compacted.history, compacted.item)]);
    await this.sync();
  }

  /** What the session has used so far, and what its conversation takes. Resolves once it is written. */
  recordUsage(
    tally: UsageTally,
    request: { model: string; contextWindow: number | undefined },
  ): Promise<void> {
    return this.append([tokenCountRecord(tally, request)]);
  }

  /** Resolves once the turn, and all of it, is on disk. */
  async turnEnded(turnId: string, outcome: TurnOutcome): Promise<void> {
    await this.append([turnEndedRecord(turnId, outcome)]);
    await this.sync();
  }

  /** Resolves when all that was recorded so far has been written, or has been refused. */
  flush(): Promise<void> {
    return this.file.flush();
  }

  /** Resolves when all that was recorded so far is on disk. */
  sync(): Promise<void> {
    return this.file.sync();
  }

  /** Writes what waits and lets other writers in. */
  async close(): Promise<void> {
    try {
      await this.file.close();
    } finally {
      this.lock.release();
    }
  }

  private append(records: readonly RolloutRecord[]): Promise<void> {
    return this.file.append(this.form?.of(records) ?? records);
  }
}

/** What a session writes to its file. */
export type SessionFile = Pick<
  RolloutWriter,
  | 'path'
  | 'namesInputs'
  | 'recordInputs'
  | 'recordItems'
  | 'recordItem'
  | 'recordCompaction'
  | 'recordUsage'
  | 'turnEnded'
> &
  Pick<RolloutWriter, 'flush' | 'sync' | 'close'>;

/** Codex lists and shows a session by its message events, so an answer is recorded in both forms. */
function recordsOf(item: ResponseItem): RolloutRecord[] {
  if (item.type !== 'message' || item.role !== 'assistant') return [responseRecord(item)];
  return [responseRecord(item), agentMessageRecord(textOf(item), item.phase)];
}
