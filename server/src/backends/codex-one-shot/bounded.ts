/** What a Codex tells of its work, without what would be too long to show and to keep. */
import type { EventBody } from '@tscodex/shared/events';

/** UTF-16 units of one text of an item. */
const TEXT_LIMIT = 256 * 1024;

/** One for the life of a turn. null: no more of it is told. */
export class BoundedEvents {
  readonly #told = new Map<string, number>();

  take(event: EventBody): EventBody | null {
    if (event.type === 'item.delta') {
      const told = (this.#told.get(event.itemId) ?? 0) + event.delta.length;
      this.#told.set(event.itemId, told);
      // of an output only its ends are kept
      return told > TEXT_LIMIT && event.field !== 'output' ? null : event;
    }
    if (event.type === 'item.completed') this.#told.delete(event.item.id);
    if (event.type !== 'item.started' && event.type !== 'item.updated' && event.type !== 'item.completed')
      return event;
    return { ...event, item: shortened(event.item) } as EventBody;
  }
}

/** The beginning of a text. */
export function shortenedText(text: string): string {
  if (text.length <= TEXT_LIMIT) return text;
  return `${text.slice(0, TEXT_LIMIT).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function shortened<T>(value: T): T {
  if (typeof value === 'string') return shortenedText(value) as T;
  if (Array.isArray(value)) return value.map(shortened) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)])) as T;
}
