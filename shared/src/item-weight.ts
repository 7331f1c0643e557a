/** How much an item holds. Pure, and cheap enough to ask of 200 items whenever one of them changes. */
import type { Item } from './items.ts';

/** What an item takes beside its texts. */
const LEAST = 500;

/** Characters, about: of an item of any type, known or not, those of its texts and of its parts' texts. */
export function weightOf(item: Item): number {
  return LEAST + Object.values(item).reduce<number>((sum, value) => sum + lengthOf(value, 2), 0);
}

function lengthOf(value: unknown, deeper: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || deeper === 0) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + lengthOf(part, deeper - 1), 0);
}
