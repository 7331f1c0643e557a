/** What a session's file tells the catalogue: whose it is, how it began, and what people and agents said in it. */
import type { Item } from '@tscodex/shared/items';
import * as z from 'zod';
import { type LineRange, type LineStart, readJsonl } from '../../base/jsonl.ts';
import { ItemDeriver } from '../derive-items.ts';
import { readFirstRecord } from '../first-record.ts';
import { historyChain, type Segment } from '../history-chain.ts';
import { threadIdOf } from '../rollout-meta.ts';
import { type RolloutRecord, rolloutRecord, turnContext } from '../rollout-records.ts';
import { withoutImages } from '../without-images.ts';
import { headOf } from './session-lines.ts';

/** What is known of a file as far as it has been read. */
export type FileFacts = {
  /** null: it is none of a session. */
  session: string | null;
  createdAt: string | null;
  /** Of its last record. */
  lastAt: string | null;
  cwd: string | null;
  originator: string | null;
  model: string | null;
  /** The first words of a person. */
  preview: string | null;
  forkedFrom: string | null;
  /** Of a sub-agent's session: the one that made it, or '' where that is not known. */
  parent: string | null;
  /** The session in whose file this one begins. */
  base: string | null;
};

export const NO_FACTS: FileFacts = {
  ...{ session: null, createdAt: null, lastAt: null, cwd: null, originator: null, model: null },
  ...{ preview: null, forkedFrom: null, parent: null, base: null },
};

/** `loose`: more of it may come, under another id. */
export type Said = { item: string; by: 'user' | 'agent'; at: string; text: string; loose: boolean };

/** What a reading has come to; whoever goes on there misses nothing. */
export type ReadSoFar = { facts: FileFacts; said: Said[]; place: LineStart };

/** Characters of one message that can be found. */
const TEXT_LIMIT = 64 * 1024;
const PREVIEW_LENGTH = 200;
/** Characters of what is told at once. */
const BATCH = 16 * 1024;
/** Lines read without anything to tell, after which a place is told. */
const QUIET_LINES = 5000;

const SKIPPED = Buffer.from('null');

/**
 * In pieces, bounded in memory however long the file is. `from`: an earlier reading of the same file. Throws what the
 * file system says.
 */
export async function* readSessionFile(
  path: string,
  size: number,
  from: { facts: FileFacts; place: LineStart } | null,
): AsyncGenerator<ReadSoFar> {
  const reading = new FileReading(from?.facts ?? NO_FACTS);
  yield* reading.read({ path, until: null }, { ...(from?.place ?? START), end: size });
}

const START: LineStart = { at: 0, number: 1 };

/** Of a file that goes on in one where a revert has left it: the files before, as far as they are the same session's. */
async function revertedFrom(path: string, session: string): Promise<Segment[]> {
  const segments = (await historyChain(path)).segments.filter((segment) => segment.path !== path);
  const metas = await Promise.all(segments.map(async (one) => metaOf(await readFirstRecord(one.path))));
  return segments.filter((_, at) => metas[at]?.id === session);
}

class FileReading {
  #facts: FileFacts;
  #said: Said[] = [];
  #length = 0;

  constructor(facts: FileFacts) {
    this.#facts = facts;
  }

  async *read({ path, until }: Segment, from: LineRange): AsyncGenerator<ReadSoFar> {
    const deriver = new ItemDeriver(threadIdOf(path));
    if (from.at > 0) await beginAgain(deriver, path);
    let place: LineStart = from;
    let quiet = 0;
    for await (const line of readJsonl(path, (bytes) => this.#shortened(bytes), from)) {
      const record = line.damage === undefined ? rolloutRecord.safeParse(line.value).data : undefined;
      if (until !== null && (record?.ordinal ?? 0) >= until) break;
      if (record) this.#take(record, deriver.take(line.number, record));
      if (until === null && this.#isRevert(from, line.number))
        for (const before of await revertedFrom(path, this.#facts.session ?? ''))
          yield* this.read(before, { ...START, end: null });
      if (line.next.closed && deriver.state()) place = { at: line.next.at, number: line.next.number };
      quiet += 1;
      if (this.#length < BATCH && quiet < QUIET_LINES) continue;
      quiet = 0;
      // of a file that it builds on one cannot go on in the middle
      yield this.#taken(path, until === null ? place : from);
    }
    for (const item of deriver.end()) this.#say(item, until === null);
    yield this.#taken(path, until === null ? place : from);
  }

  /** Whether it is the first line of such a file. */
  #isRevert(from: LineStart, line: number): boolean {
    const { base, session } = this.#facts;
    return base !== null && base === session && from.at === 0 && line === 1;
  }

  #taken(path: string, place: LineStart): ReadSoFar {
    const said = this.#said;
    this.#said = [];
    this.#length = 0;
    // where the first record is torn, its name tells
    const session = this.#facts.session ?? (this.#facts.preview === null ? null : idOf(threadIdOf(path)));
    this.#facts = { ...this.#facts, session };
    return { facts: this.#facts, said, place };
  }

  #shortened(bytes: Buffer): Buffer {
    const { timestamp, skipped } = headOf(bytes);
    this.#tick(timestamp);
    return skipped ? SKIPPED : withoutImages(bytes);
  }

  #tick(timestamp: string | null): void {
    const time = isoTime(timestamp);
    if (time !== null) this.#facts = { ...this.#facts, lastAt: time };
  }

  #take(record: RolloutRecord, items: readonly Item[]): void {
    if (record.type === 'session_meta' && this.#facts.session === null) this.#takeMeta(record);
    if (record.type === 'turn_context') {
      const model = turnContext.safeParse(record.payload).data?.model;
      if (model !== undefined) this.#facts = { ...this.#facts, model: model.slice(0, PREVIEW_LENGTH) };
    }
    const asked = record.tscodex?.model;
    if (asked) this.#facts = { ...this.#facts, model: asked.slice(0, PREVIEW_LENGTH) };
    for (const item of items) this.#say(item);
  }

  /** The first one counts: an older fork repeats its parent's further down. */
  #takeMeta(record: RolloutRecord): void {
    const meta = metaOf(record);
    if (!meta) return;
    this.#facts = {
      ...this.#facts,
      session: meta.id,
      createdAt: isoTime(meta.timestamp ?? record.timestamp),
      cwd: meta.cwd ?? null,
      originator: meta.originator?.slice(0, PREVIEW_LENGTH) ?? null,
      forkedFrom: meta.forked_from_id ?? null,
      parent: parentOf(meta),
      base: meta.history_base?.thread_id ?? null,
    };
  }

  #say(item: Item, loose = false): void {
    if (item.type !== 'userMessage' && item.type !== 'agentMessage') return;
    if (item.type === 'userMessage' && item.mode === 'command') return;
    const text = item.text.slice(0, TEXT_LIMIT).replaceAll('\0', ' ');
    if (text.trim() === '') return;
    const by = item.type === 'userMessage' ? 'user' : 'agent';
    if (by === 'user' && this.#facts.preview === null)
      this.#facts = { ...this.#facts, preview: oneLine(text) };
    // nobody could be led to it
    if (this.#facts.parent === '') return;
    this.#said.push({ item: item.id, by, at: item.completedAt ?? item.startedAt, text, loose });
    this.#length += text.length;
  }
}

/** As after the first record, which says what form the file has. */
async function beginAgain(deriver: ItemDeriver, path: string): Promise<void> {
  const first = await readFirstRecord(path);
  if (first) deriver.take(1, first);
}

const catalogMeta = z.object({
  id: z.string().toLowerCase().pipe(z.uuid()),
  timestamp: z.string().optional().catch(undefined),
  cwd: z.string().max(4096).optional().catch(undefined),
  originator: z.string().optional().catch(undefined),
  forked_from_id: z.uuid().optional().catch(undefined),
  thread_source: z.unknown().optional(),
  source: z.unknown().optional(),
  history_base: z.object({ thread_id: z.uuid() }).optional().catch(undefined),
});

function metaOf(record: RolloutRecord | undefined): z.output<typeof catalogMeta> | undefined {
  return record?.type === 'session_meta' ? catalogMeta.safeParse(record.payload).data : undefined;
}

const subAgent = z.object({ subagent: z.unknown() });
const spawned = z.object({ thread_spawn: z.object({ parent_thread_id: z.string().max(100) }) });

/** As Codex says where a session comes from; null: from people. */
function parentOf({ source, thread_source: thread }: z.output<typeof catalogMeta>): string | null {
  const found = subAgent.safeParse(source).data;
  if (found) return spawned.safeParse(found.subagent).data?.thread_spawn.parent_thread_id ?? '';
  return thread === 'subagent' ? '' : null;
}

function idOf(name: string): string | null {
  return z.uuid().safeParse(name.toLowerCase()).data ?? null;
}

function isoTime(text: string | null): string | null {
  const time = new Date(text ?? '');
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function oneLine(text: string): string {
  const line = text
    .slice(0, 10 * PREVIEW_LENGTH)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > PREVIEW_LENGTH ? `${line.slice(0, PREVIEW_LENGTH - 1)}…` : line;
}
