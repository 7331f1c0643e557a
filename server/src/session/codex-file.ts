/**
 * The file of a session that Codex writes: Codex holds its lock and records what happens, so nothing of ours goes into
 * it. A message of a person is recorded by being given to Codex.
 */
import { JsonlWriter } from '../base/jsonl.ts';
import type { MessageItem } from '../base/response-items.ts';
import type { RecordedInput, RecordedWake, SessionFile } from './rollout.ts';
import { metaRecord, type SessionMeta } from './rollout-records.ts';
import { takeWriterLock } from './writer-lock.ts';

/** Codex does it. */
const nothing = async () => undefined;

type Give = (inputs: readonly RecordedInput[], woken: MessageItem | null) => Promise<void>;

export class CodexFile implements SessionFile {
  #give: Give | null = null;

  /** `meta`: of a file that is yet to be made. `namesInputs`: whether Codex records the ids of messages. */
  constructor(
    readonly path: string,
    private readonly codexHome: string,
    private readonly meta: SessionMeta,
    readonly namesInputs: boolean,
  ) {}

  /** Who gives messages, and what has woken the agent, to Codex. Resolves once Codex has recorded them. */
  givenBy(give: Give): void {
    this.#give = give;
  }

  /**
   * Makes a file that Codex can go on in, where there is none. `paginated`: in the form that Codex of today gives its
   * own; older ones know another. Throws `session.locked`, `file.write`.
   */
  async prepare(exists: boolean, paginated = true): Promise<void> {
    if (exists) return;
    const lock = takeWriterLock(this.codexHome, this.meta.id);
    const file = new JsonlWriter(this.path);
    try {
      const inPages = { ...this.meta, history_mode: 'paginated' };
      await file.append([paginated ? { ordinal: 0, ...metaRecord(inPages) } : metaRecord(this.meta)]);
      await file.sync();
    } finally {
      await file.close();
      lock.release();
    }
  }

  async recordInputs(
    inputs: readonly RecordedInput[],
    _startedTurn?: string,
    woken?: RecordedWake | null,
  ): Promise<void> {
    await this.#give?.(inputs, woken?.message ?? null);
  }

  readonly recordItems = nothing;
  readonly recordItem = nothing;
  readonly recordCompaction = nothing;
  readonly recordUsage = nothing;
  readonly turnEnded = nothing;
  readonly flush = nothing;
  readonly sync = nothing;
  readonly close = nothing;
}
