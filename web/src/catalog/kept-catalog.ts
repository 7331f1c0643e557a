/** What stands in the list of all sessions: a reload of the page does not take it away. It goes when the list is closed. */
import { remember, remembered, tabStorage } from '../state/device-storage.ts';
import { SCOPE_NAMES, type ScopeName } from './scope-choice.tsx';

const KEY = 'tscodex.catalog';

export type KeptCatalog = { query: string; scope: ScopeName };

/** null: it was not open. */
export function keptCatalog(): KeptCatalog | null {
  try {
    const { query, scope } = JSON.parse(remembered(tabStorage(), KEY) ?? '{}') as Record<string, unknown>;
    const known = SCOPE_NAMES.find((name) => name === scope);
    return known && typeof query === 'string' ? { query, scope: known } : null;
  } catch {
    return null; // cut off by a full disk: the same as nothing kept
  }
}

export function keepCatalog(open: KeptCatalog | null): void {
  remember(tabStorage(), KEY, open && JSON.stringify(open));
}
