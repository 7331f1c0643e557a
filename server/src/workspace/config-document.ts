/**
 * The text of workspaces.json and changes to it. A change touches its own place alone: unknown keys, order,
 * indentation, line ends and everything else stay as they were written.
 */
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, findNodeAtLocation, type JSONPath, modify, type Node, parseTree } from 'jsonc-parser';
import { Failure, messageOf } from '../base/errors.ts';
import { jsonErrorPosition } from './json-position.ts';
import { entryLike, keyLike, separatorAfter } from './json-style.ts';

/** What a file that is not there yet begins as. */
const EMPTY = '{\n  "workspaces": []\n}\n';
const BYTE_ORDER_MARK = '\uFEFF';

export class ConfigDocument {
  private constructor(
    readonly path: string,
    /** The whole file but for its byte order mark. */
    private readonly json: string,
    private readonly mark: '' | typeof BYTE_ORDER_MARK,
    /** The entries, whatever they are. */
    readonly list: readonly unknown[],
    /** The key that the list stands under. */
    readonly at: readonly ['workspaces'] | readonly [],
  ) {}

  /** Throws `workspaces.json` and `workspaces.shape` for what is no list of workspaces. */
  static parse(path: string, text: string): ConfigDocument {
    const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
    const json = text.slice(mark.length);
    let root: unknown;
    try {
      root = JSON.parse(json);
    } catch (error) {
      const { line, column } = jsonErrorPosition(json) ?? { line: 1, column: 1 };
      const reason = messageOf(error);
      const message = `${path}:${line}:${column}: not valid JSON (${reason})`;
      const details = { path, line, column, reason };
      throw new Failure('invalid', 'workspaces.json', message, { details });
    }
    if (Array.isArray(root)) return new ConfigDocument(path, json, mark, root, []);
    const list = (root as { workspaces?: unknown } | null)?.workspaces;
    if (Array.isArray(list)) return new ConfigDocument(path, json, mark, list, ['workspaces']);
    const message = `${path}: needs a list of workspaces, as [ … ] or as {"workspaces": [ … ]}`;
    throw new Failure('invalid', 'workspaces.shape', message, { details: { path } });
  }

  static empty(path: string): ConfigDocument {
    return ConfigDocument.parse(path, EMPTY);
  }

  /** The whole file. */
  get text(): string {
    return this.mark + this.json;
  }

  /** With one more entry, the last. */
  withAdded(entry: Record<string, string>): ConfigDocument {
    const last = this.#entries().at(-1);
    const document = last
      ? this.#replaced(
          last.end,
          last.end,
          separatorAfter(this.json, last) + entryLike(this.json, last, entry),
        )
      : this.#modified([0], entry);
    return document.#expecting([...this.list, entry]);
  }

  /** With some keys of an entry set; null takes one out. */
  withChanged(index: number, keys: EntryKeys): ConfigDocument {
    let document: ConfigDocument = this;
    for (const [key, value] of Object.entries(keys))
      document = value === null ? document.#withoutKey(index, key) : document.#withKey(index, key, value);
    const entry = Object.entries({ ...(this.list[index] as object), ...keys });
    const kept = entry.filter(([key]) => keys[key] !== null);
    return document.#expecting(this.list.with(index, Object.fromEntries(kept)));
  }

  without(index: number): ConfigDocument {
    const entries = this.#entries();
    const [before, here, after] = [index - 1, index, index + 1].map((n) => entries[n]);
    const rest = this.list.toSpliced(index, 1);
    if (before && here) return this.#replaced(before.end, here.end).#expecting(rest);
    if (here && after) return this.#replaced(here.start, after.start).#expecting(rest);
    const list = rangeOf(this.#node([]) as Node);
    return this.#replaced(list.start, list.end, '[]').#expecting(rest);
  }

  /** With an entry at another place, and every entry as it was written. */
  withMoved(from: number, to: number): ConfigDocument {
    const entries = this.#entries();
    const texts = moved(
      entries.map(({ start, end }) => this.json.slice(start, end)),
      from,
      to,
    );
    const edits = entries.map(({ start, end }, n) => ({
      ...{ offset: start, length: end - start, content: texts[n] ?? '' },
    }));
    return this.#with(applyEdits(this.json, edits)).#expecting(moved(this.list, from, to));
  }

  #withoutKey(index: number, key: string): ConfigDocument {
    const members = this.#node([index])?.children ?? [];
    const at = members.findIndex(({ children }) => children?.[0]?.value === key);
    if (at < 0) return this;
    const [before, here, after] = [at - 1, at, at + 1].map((n) => members[n] && rangeOf(members[n]));
    if (before && here) return this.#replaced(before.end, here.end);
    if (here && after) return this.#replaced(here.start, after.start);
    return this.#modified([index], {});
  }

  #withKey(index: number, key: string, value: string | boolean): ConfigDocument {
    const last = this.#node([index])?.children?.at(-1);
    if (this.#node([index, key]) || !last) return this.#modified([index, key], value);
    const { end } = rangeOf(last);
    const addition = separatorAfter(this.json, rangeOf(last)) + keyLike(this.json, rangeOf(last), key, value);
    return this.#replaced(end, end, addition);
  }

  #node(path: JSONPath): Node | undefined {
    return findNodeAtLocation(parseTree(this.json) as Node, [...this.at, ...path]);
  }

  #entries(): Range[] {
    return (this.#node([])?.children ?? []).map(rangeOf);
  }

  #replaced(start: number, end: number, by = ''): ConfigDocument {
    return this.#with(this.json.slice(0, start) + by + this.json.slice(end));
  }

  /** For a value in the place of another, and for the first of an empty list or entry. */
  #modified(path: JSONPath, value: unknown): ConfigDocument {
    const isFirst = this.#node(path) === undefined;
    const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
    const edits = modify(this.json, [...this.at, ...path], value, isFirst ? { formattingOptions } : {});
    return this.#with(applyEdits(this.json, edits));
  }

  #with(json: string): ConfigDocument {
    return ConfigDocument.parse(this.path, this.mark + json);
  }

  /** Guards against files that say a thing twice, where the edited place is not the one that counts. */
  #expecting(list: readonly unknown[]): ConfigDocument {
    if (isDeepStrictEqual(this.list, list)) return this;
    const { path } = this;
    const message = `${path} has the same key twice in one object: correct that by hand first`;
    throw new Failure('invalid', 'workspaces.twice', message, { details: { path } });
  }
}

/** Of an entry, by name. */
export type EntryKeys = Record<string, string | boolean | null>;

type Range = { start: number; end: number };

function rangeOf({ offset, length }: Node): Range {
  return { start: offset, end: offset + length };
}

function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = [...list];
  rest.splice(to, 0, ...rest.splice(from, 1));
  return rest;
}
