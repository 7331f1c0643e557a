/** Which ids the entries without one have had, kept in the state database. */
import * as z from 'zod';
import type { Database } from '../base/database.ts';
import type { EntryKey } from './entry-ids.ts';

const pairs = z.array(z.tuple([z.string(), z.string()]));

/** Of the entries of one workspaces.json. */
export class RememberedIds {
  readonly #fact: string;
  #ids: ReadonlyMap<EntryKey, string>;

  constructor(
    private readonly db: Database,
    configPath: string,
  ) {
    this.#fact = `workspaces.ids ${configPath}`;
    const [row] = db.read<{ value: string }>('SELECT value FROM facts WHERE key = ?', this.#fact);
    this.#ids = new Map(row ? pairs.parse(JSON.parse(row.value)) : []);
  }

  get ids(): ReadonlyMap<EntryKey, string> {
    return this.#ids;
  }

  /** Adds to what is known: an entry that goes may come back. */
  async remember(found: readonly { id: string; key?: EntryKey }[]): Promise<void> {
    const fresh = found.flatMap(({ id, key }) =>
      key !== undefined && this.#ids.get(key) !== id ? [[key, id] as const] : [],
    );
    if (fresh.length === 0) return;
    const ids = new Map([...this.#ids, ...fresh]);
    const value = JSON.stringify([...ids]);
    await this.db.write('INSERT OR REPLACE INTO facts (key, value) VALUES (?, ?)', this.#fact, value);
    this.#ids = ids;
  }
}
