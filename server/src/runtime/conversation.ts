/**
 * All that people can read of a session, from its first item on: what its files hold, and what is in memory alone.
 */
import type { Item } from '@tscodex/shared/items';
import type { Found, ItemPage } from '@tscodex/shared/workspace';
import { Failure } from '../base/errors.ts';
import { says } from '../session/find-items.ts';
import type { ItemIndex } from '../session/item-index.ts';
import { type PageAsked, pageOf } from '../session/item-pages.ts';
import type { RolloutWriter } from '../session/rollout.ts';
import { unreadable } from '../session/rollout-reader.ts';
import { settled } from './restart.ts';

/** Items that are told of where words were looked for, the newest. */
const FOUND_LIMIT = 1000;

export class Conversation {
  constructor(
    private readonly index: ItemIndex,
    private readonly rollout: Pick<RolloutWriter, 'path' | 'flush'>,
    /** The newest items, as they are now. */
    private readonly shown: () => readonly Item[],
  ) {}

  /** Throws `notFound` where there is no such item. */
  async page(asked: PageAsked, limit: number): Promise<ItemPage> {
    await this.catchUp();
    const page = await this.read(() => pageOf(this.index, this.onDisk(asked), limit));
    if (!page)
      throw new Failure('notFound', 'item.unknown', `This session has no item ${Object.values(asked)[0]}.`);
    return { ...page, items: page.items.map(this.current()) };
  }

  /** Where something says `words`, the newest places. Looks no further once nobody waits for it. */
  async find(words: string, gone: AbortSignal): Promise<Found> {
    await this.catchUp();
    const current = this.current();
    const itemIds: string[] = [];
    let cut = false;
    const look = (item: Item) => {
      if (!says(item, words)) return;
      itemIds.push(item.id);
      if (itemIds.length <= FOUND_LIMIT) return;
      itemIds.shift();
      cut = true;
    };
    await this.read(async () => {
      for await (const item of this.index.forwards(null)) {
        if (gone.aborted) break;
        look(current(item) as Item);
      }
    });
    this.inMemory().forEach(look);
    return { itemIds, cut };
  }

  /** All items as they are now, oldest first. */
  async *all(): AsyncGenerator<Item> {
    await this.catchUp();
    const current = this.current();
    for await (const item of this.reading(this.index.forwards(null))) yield current(item);
    yield* this.inMemory();
  }

  /** The same, the newest first. */
  async *newestFirst(): AsyncGenerator<Item> {
    await this.catchUp();
    const current = this.current();
    yield* this.inMemory().reverse();
    for await (const item of this.reading(this.index.backwards(null))) yield current(item);
  }

  /** What no file has. */
  private inMemory(): Item[] {
    return this.shown().filter((item) => !this.index.has(item.id));
  }

  /** An item as it is now: one that is not worked on any more was cut. */
  private current() {
    const shown = new Map(this.shown().map((item) => [item.id, item]));
    const at = new Date().toISOString();
    return (item: ItemPage['items'][number]) => shown.get(item.id) ?? settled(item as Item, at);
  }

  /** What is in memory alone has a place all the same: behind the one before it that is on disk. */
  private onDisk(asked: PageAsked): PageAsked {
    const [id] = Object.values(asked) as [string];
    if (this.index.has(id)) return asked;
    const items = this.shown();
    const at = items.findIndex((item) => item.id === id);
    if (at < 0) return asked;
    const isOnDisk = (item: Item) => this.index.has(item.id);
    const behind = items.slice(at).find(isOnDisk);
    const ahead = items.slice(0, at).findLast(isOnDisk);
    if ('before' in asked) return behind ? { before: behind.id } : ahead ? { around: ahead.id } : asked;
    const near = ahead ?? behind;
    if (!near) return asked;
    return 'after' in asked ? { after: near.id } : { around: near.id };
  }

  private async catchUp(): Promise<void> {
    await this.rollout.flush();
    await this.read(() => this.index.catchUp());
  }

  private async *reading(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    try {
      yield* items;
    } catch (error) {
      throw unreadable(this.rollout.path, error);
    }
  }

  private async read<T>(reading: () => Promise<T>): Promise<T> {
    try {
      return await reading();
    } catch (error) {
      throw unreadable(this.rollout.path, error);
    }
  }
}
