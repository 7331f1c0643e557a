/** A catalogue for tests of the HTTP layer: one session, and what it was asked. */
import type { CatalogEntry, CatalogQuery, SearchQuery } from '@tscodex/shared/catalog';
import { Failure } from '../base/errors.ts';
import type { SessionCatalog } from '../workspace/session-catalog.ts';

export const ENTRY: CatalogEntry = {
  ...{ id: '01970000-0000-7000-8000-000000000001', title: null, preview: 'Say hello', cwd: '~/work' },
  ...{ originator: 'codex_cli_rs', model: null, archived: false, forkedFrom: null, workspaceId: 'demo' },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', lastActivityAt: '2026-01-02T00:00:00.000Z', bytes: 100 },
  open: false,
};

export class FakeCatalog implements SessionCatalog {
  /** The calls made, as `[method, ...arguments]`. */
  readonly calls: unknown[][] = [];

  list(query: CatalogQuery) {
    this.calls.push(['list', query]);
    return { sessions: [ENTRY], next: null, indexing: { done: 1, total: 2 } };
  }

  search(query: SearchQuery) {
    this.calls.push(['search', query]);
    const { id, createdAt: at } = ENTRY;
    const snippet = [{ text: 'hello', hit: true }];
    const hits = [{ itemId: `${id}-2`, by: 'user' as const, at, snippet }];
    return { sessions: [{ session: ENTRY, hits, more: 0 }], cut: false, indexing: null };
  }

  async archive(...args: [string, boolean]) {
    this.#known(args[0]);
    this.calls.push(['archive', ...args]);
  }

  async remove(id: string) {
    this.#known(id);
    this.calls.push(['remove', id]);
    return { restorableUntil: '2026-01-09T00:00:00.000Z' };
  }

  async restore(id: string) {
    this.#known(id);
    this.calls.push(['restore', id]);
  }

  #known(id: string): void {
    if (id !== ENTRY.id) throw new Failure('notFound', 'session.unknown', `There is no session ${id}.`);
  }
}
