/**
 * Where in the files of a conversation its items stand, so that a page of it costs what the page holds, however long
 * the files are. The files are cut into blocks of a few items; a block can be read by itself, from what the records
 * before it said of those that follow.
 */
import { open } from 'node:fs/promises';
import type { Item } from '@tscodex/shared/items';
import { type JsonlLine, type LineEnd, type LineStart, readJsonl } from '../base/jsonl.ts';
import { type DeriverState, ItemDeriver } from './derive-items.ts';
import type { Segment } from './history-chain.ts';
import { threadIdOf } from './rollout-meta.ts';
import { type RolloutRecord, rolloutRecord } from './rollout-records.ts';
import { withoutImages } from './without-images.ts';
import { withoutOutputs } from './without-outputs.ts';

/** A block ends when it holds as many items, or bytes. */
const BLOCK_ITEMS = 32;
const BLOCK_BYTES = 256 * 1024;

/** A file, and how far it was read. */
type Source = { segment: Segment; deriver: ItemDeriver; next: LineStart };

type Block = LineStart & {
  source: Source;
  /** Byte after its last record. */
  end: number;
  begins: DeriverState;
  /** Items that first appear in it. */
  count: number;
};

export type IndexedLine = JsonlLine & { next: LineEnd };

/** The record of a line, where it can be read as one. */
export function recordOf(line: JsonlLine): RolloutRecord | undefined {
  return line.damage === undefined ? rolloutRecord.safeParse(line.value).data : undefined;
}

/** Fed with the lines of all files of a conversation in order; those that are appended later it reads itself. */
export class ItemIndex {
  private readonly blocks: Block[] = [];
  private readonly firstIn = new Map<string, number>();
  /** Of items that changed in a later block than they appeared in: the block of the last change. */
  private readonly lastIn = new Map<string, number>();
  private source: Source | null = null;
  private catching: Promise<void> = Promise.resolve();

  /** Of a file that is yet to come. */
  static ofNone(path: string): ItemIndex {
    const index = new ItemIndex();
    index.begin({ path, until: null });
    return index;
  }

  /** The next file begins. */
  begin(segment: Segment): void {
    const deriver = new ItemDeriver(threadIdOf(segment.path));
    this.source = { segment, deriver, next: { at: 0, number: 1 } };
    this.addBlock(this.source);
  }

  /** Long outputs may be missing in the record. */
  take(line: IndexedLine, record: RolloutRecord | undefined): void {
    const { source } = this;
    // what may still grow is read again
    if (!source || (line.damage !== undefined && !line.next.closed)) return;
    if (this.isFull()) this.addBlock(source);
    source.next = { at: line.next.at, number: line.next.number };
    const block = this.blocks.at(-1);
    if (block) block.end = line.next.at;
    if (record) for (const id of source.deriver.takeIds(line.number, record)) this.put(id);
  }

  /** The file ends. */
  end(): void {
    for (const { id } of this.source?.deriver.end() ?? []) this.put(id);
  }

  /** Reads what was appended since. Throws what the file system says, of a file that has become shorter too. */
  catchUp(): Promise<void> {
    const next = this.catching.then(() => this.readOn());
    this.catching = next.catch(() => undefined);
    return next;
  }

  has(id: string): boolean {
    return this.firstIn.has(id);
  }

  /** All items from one on, oldest first; null: from the first. */
  async *forwards(from: string | null): AsyncGenerator<Item> {
    const begin = from === null ? 0 : (this.firstIn.get(from) ?? this.blocks.length);
    for (let at = begin; at < this.blocks.length; at++) {
      const items = await this.itemsOf(at);
      const skipped = at === begin && from !== null ? items.findIndex(({ id }) => id === from) : 0;
      yield* items.slice(Math.max(skipped, 0));
    }
  }

  /** All items before one, newest first; null: before the end. */
  async *backwards(before: string | null): AsyncGenerator<Item> {
    const begin = before === null ? this.blocks.length - 1 : (this.firstIn.get(before) ?? -1);
    for (let at = begin; at >= 0; at--) {
      const items = await this.itemsOf(at);
      const end = at === begin && before !== null ? items.findIndex(({ id }) => id === before) : items.length;
      yield* items.slice(0, Math.max(end, 0)).reverse();
    }
  }

  private isFull(): boolean {
    const block = this.blocks.at(-1);
    return block !== undefined && (block.count >= BLOCK_ITEMS || block.end - block.at >= BLOCK_BYTES);
  }

  private addBlock(source: Source): void {
    const begins = source.deriver.state();
    if (begins) this.blocks.push({ ...source.next, source, end: source.next.at, begins, count: 0 });
  }

  private put(id: string): void {
    const at = this.blocks.length - 1;
    const first = this.firstIn.get(id);
    if (first === undefined) {
      this.firstIn.set(id, at);
      (this.blocks[at] as Block).count += 1;
    } else if (first !== at) this.lastIn.set(id, at);
  }

  private async readOn(): Promise<void> {
    const { source } = this;
    if (!source) return;
    const { path } = source.segment;
    const size = await sizeOf(path).catch((error) => {
      // it is made at the first record
      if (error.code === 'ENOENT' && source.next.at === 0) return 0;
      throw error;
    });
    if (size < source.next.at) throw new Error('it has become shorter since it was opened');
    if (size === source.next.at) return;
    for await (const line of readJsonl(path, withoutOutputs, { ...source.next, end: size }))
      this.take(line, recordOf(line));
  }

  /** The items that first appear in a block, as they are now. */
  private async itemsOf(at: number): Promise<Item[]> {
    if (this.blocks[at]?.count === 0) return [];
    const now = await this.told(at);
    const mine = [...now.keys()].filter((id) => this.firstIn.get(id) === at);
    const later = new Set(mine.flatMap((id) => this.lastIn.get(id) ?? []));
    for (const block of later) {
      const changed = await this.told(block);
      for (const id of mine) {
        const item = this.lastIn.get(id) === block ? changed.get(id) : undefined;
        if (item) now.set(id, item);
      }
    }
    return mine.map((id) => now.get(id) as Item);
  }

  /** What the records of a block tell of, in the order in which it first does. */
  private async told(at: number): Promise<Map<string, Item>> {
    const told = new Map<string, Item>();
    const block = this.blocks[at];
    if (!block) return told;
    const { path } = block.source.segment;
    const deriver = new ItemDeriver(threadIdOf(path), block.begins);
    const add = (items: readonly Item[]) => {
      for (const item of items) told.set(item.id, item);
    };
    for await (const line of readJsonl(path, withoutImages, block)) {
      const record = recordOf(line);
      if (record) add(deriver.take(line.number, record));
    }
    add(deriver.end());
    return told;
  }
}

async function sizeOf(path: string): Promise<number> {
  await using file = await open(path, 'r');
  return (await file.stat()).size;
}
