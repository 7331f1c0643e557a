/** What the tests of the list share. */
import type { CatalogEntry } from '@tscodex/shared/catalog';

export function entry(id: string, more: Partial<CatalogEntry> = {}): CatalogEntry {
  return {
    id,
    title: id,
    preview: null,
    cwd: '~/lab',
    originator: 'tscodex',
    model: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    lastActivityAt: '2026-01-01T00:00:00.000Z',
    bytes: 1,
    archived: false,
    forkedFrom: null,
    workspaceId: 'w',
    open: false,
    ...more,
  };
}
