/**
 * The text of workspaces.json and changes to it. A change touches its own place alone: unknown keys, order,
 * indentation, line ends and everything else stay as they were written.
 */
import { isDeepStrictEqual } from 'node:util';
import { applyEdits, findNodeAtLocation, type JSONPath, modify, type Node, parseTree } from 'jsonc-parser';
import { Failure, messageOf } from '../base/errors.ts';
import { jsonErrorPosition } from './json-position.ts';

/** What a file that is not there yet begins as. */
const EMPTY = '{\n  "workspaces": []\n}\n';
const BYTE_ORDER_MARK = '\uFEFF';

export class ConfigDocument {
  private constructor(
    readonly path: string,
    /** The whole file. */
    readonly text: string,
    /** The entries, whatever they are. */
    readonly list: readonly unknown[],
    /** The key that the list stands under. */
    readonly at: readonly ['workspaces'] | readonly [],
  ) {}

  /** Throws `workspaces.config` for what is no list of workspaces. */
  static parse(path: string, text: string): ConfigDocument {
    let root: unknown;
    const json = withoutMark(text);
    try {
      root = JSON.parse(json);
    } catch (error) {
      const { line, column } = jsonErrorPosition(json) ?? { line: 1, column: 1 };
      throw refused(`${path}:${line}:${column}: not valid JSON (${messageOf(error)})`);
    }
    if (Array.isArray(root)) return new ConfigDocument(path, text, root, []);
    const list = (root as { workspaces?: unknown } | null)?.workspaces;
    if (Array.isArray(list)) return new ConfigDocument(path, text, list, ['workspaces']);
    throw refused(`${path}: needs a list of workspaces, as [ … ] or as {"workspaces": [ … ]}`);
  }

  static empty(path: string): ConfigDocument {
    return ConfigDocument.parse(path, EMPTY);
  }

  /** With one more entry, the last. */
  withAdded(entry: Record<string, string>): ConfigDocument {
    return this.#edited([this.list.length], entry).#expecting([...this.list, entry]);
  }

  /** With some keys of an entry set. */
  withChanged(index: number, keys: Record<string, string>): ConfigDocument {
    let document: ConfigDocument = this;
    for (const [key, value] of Object.entries(keys)) document = document.#edited([index, key], value);
    return document.#expecting(this.list.with(index, { ...(this.list[index] as object), ...keys }));
  }

  without(index: number): ConfigDocument {
    const [before, here, after] = [index - 1, index, index + 1].map((n) => this.#slots()[n]);
    const rest = this.list.toSpliced(index, 1);
    if (before && here) return this.#replaced(before.end, here.end).#expecting(rest);
    if (here && after) return this.#replaced(here.start, after.start).#expecting(rest);
    return this.#edited([index], undefined).#expecting(rest);
  }

  /** With an entry at another place, and every entry as it was written. */
  withMoved(from: number, to: number): ConfigDocument {
    const slots = this.#slots();
    const texts = moved(
      slots.map(({ start, end }) => this.text.slice(start, end)),
      from,
      to,
    );
    const edits = slots.map(({ start, end }, n) => ({
      ...{ offset: start, length: end - start, content: texts[n] ?? '' },
    }));
    const document = ConfigDocument.parse(this.path, applyEdits(this.text, edits));
    return document.#expecting(moved(this.list, from, to));
  }

  /** Where the entries stand in the text. */
  #slots(): { start: number; end: number }[] {
    const json = withoutMark(this.text);
    const mark = this.text.length - json.length;
    const list = findNodeAtLocation(treeOf(json), [...this.at]);
    return (list?.children ?? []).map(({ offset, length }) => ({
      start: mark + offset,
      end: mark + offset + length,
    }));
  }

  #replaced(start: number, end: number): ConfigDocument {
    return ConfigDocument.parse(this.path, this.text.slice(0, start) + this.text.slice(end));
  }

  #edited(path: JSONPath, value: string | object | undefined): ConfigDocument {
    const json = withoutMark(this.text);
    const at = [...this.at, ...path];
    const isNew = findNodeAtLocation(treeOf(json), at) === undefined;
    // formatting lays out the lines around as well, so a value that is merely replaced gets none
    const formattingOptions = isNew || value === undefined ? formattingOf(json, this.list.length > 0) : null;
    const options = {
      isArrayInsertion: isNew && path.length === 1,
      ...(formattingOptions ? { formattingOptions } : {}),
    };
    const edited = applyEdits(json, modify(json, at, value, options));
    return ConfigDocument.parse(this.path, (json === this.text ? '' : BYTE_ORDER_MARK) + edited);
  }

  /** Guards against files that say a thing twice, where the edited place is not the one that counts. */
  #expecting(list: readonly unknown[]): ConfigDocument {
    if (isDeepStrictEqual(this.list, list)) return this;
    const what = 'has the same key twice in one object: correct that by hand first';
    throw refused(`${this.path} ${what}`);
  }
}

export function refused(message: string): Failure {
  return new Failure('invalid', 'workspaces.config', message);
}

function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function treeOf(json: string): Node {
  return parseTree(json) as Node; // JSON.parse has taken it, so it has one
}

/** As the file does it: by its first indented line. Entries on one line stay there. */
function formattingOf(json: string, hasEntries: boolean) {
  const indent = /\n([ \t]+)/.exec(json)?.[1];
  if (hasEntries && indent === undefined && !json.trim().includes('\n')) return null;
  return {
    insertSpaces: !indent?.startsWith('\t'),
    tabSize: indent?.startsWith('\t') ? 1 : (indent?.length ?? 2),
    eol: json.includes('\r\n') ? '\r\n' : '\n',
  };
}

function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = [...list];
  rest.splice(to, 0, ...rest.splice(from, 1));
  return rest;
}
