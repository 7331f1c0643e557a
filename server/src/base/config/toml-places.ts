/**
 * Where the keys of a TOML text are written: the parser tells where a text stops being TOML, but not where it has
 * found what it has found. Good for messages: in a text that is itself full of TOML it may be mistaken.
 */
import { parse } from 'smol-toml';

/** The keys on the way to a value; a number for a place in an array. */
export type KeyPath = readonly PropertyKey[];

/** Characters of a key that are shown, and of a line that is searched for one. */
const LONGEST_WORD = 100;
const LONGEST_LINE = 1000;

type Place = { path: string[]; line: number };

const HEADER = /^\s*(\[\[?)\s*(.+?)\s*\]\]?\s*(?:#.*)?$/;
const KEY = /^\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+))*)\s*=/;

/** Of one text; looked for once, and only where something is to be said of it. */
export class TomlPlaces {
  #found: readonly Place[] | null = null;

  constructor(private readonly text: string) {}

  /** The line, from 1, on which the value at `path` or what is around it is written; undefined: it is not found. */
  lineOf(path: KeyPath): number | undefined {
    const wanted = path.map(String);
    const depth = (place: Place) => {
      const common = wanted.findIndex((key, i) => key !== place.path[i]);
      if (common === -1) return wanted.length;
      return common === place.path.length ? common : 0;
    };
    // of those that go equally deep the first: an array's tables all begin with its name
    const best = this.#places.reduce<Place | undefined>(
      (found, place) => (depth(place) > (found ? depth(found) : 0) ? place : found),
      undefined,
    );
    return best?.line;
  }

  /** The key that is written on a line; undefined where none is. */
  keyOn(line: number): string | undefined {
    const place = this.#places.find((one) => one.line === line);
    return place && writtenKey(place.path);
  }

  get #places(): readonly Place[] {
    this.#found ??= placesIn(this.text);
    return this.#found;
  }
}

/** As it would be written: `profiles."a b".model`, `hooks.x[0]`; a very long one is cut. */
export function writtenKey(path: KeyPath): string {
  return path
    .map((key, i) => {
      if (typeof key === 'number') return `[${key}]`;
      const name = String(key).length > LONGEST_WORD ? `${String(key).slice(0, LONGEST_WORD)}…` : String(key);
      const word = /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
      return i === 0 ? word : `.${word}`;
    })
    .join('');
}

function placesIn(text: string): Place[] {
  const places: Place[] = [];
  const counts = new Map<string, number>();
  let table: string[] = [];
  let fence: string | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const inside: string | null = fence;
    fence = openFence(line, fence);
    if (inside !== null || line.length > LONGEST_LINE) continue;
    const [, brackets, header] = HEADER.exec(line) ?? [];
    if (header !== undefined) {
      table = keysOf(header);
      if (brackets === '[[') table = [...table, numbered(table, counts)];
      places.push({ path: table, line: index + 1 });
      continue;
    }
    const [, key] = KEY.exec(line) ?? [];
    if (key !== undefined) places.push({ path: [...table, ...keysOf(key)], line: index + 1 });
  }
  return places;
}

/** The text that ends a string over several lines which is open behind this line; null: none is. */
function openFence(line: string, open: string | null): string | null {
  let fence = open;
  for (const [mark] of line.matchAll(/"""|'''/g)) {
    if (fence === null) fence = mark;
    else if (fence === mark) fence = null;
  }
  return fence;
}

function numbered(table: readonly string[], counts: Map<string, number>): string {
  const name = JSON.stringify(table);
  const count = counts.get(name) ?? 0;
  counts.set(name, count + 1);
  return String(count);
}

function keysOf(written: string): string[] {
  try {
    const keys: string[] = [];
    for (let at: unknown = parse(`${written} = 0`); typeof at === 'object' && at !== null; ) {
      const [entry] = Object.entries(at);
      if (!entry) break;
      keys.push(entry[0]);
      at = entry[1];
    }
    return keys;
  } catch {
    return [written]; // a text that is no TOML has lines that are none
  }
}
