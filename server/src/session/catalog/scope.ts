/** Which sessions are asked about: a workspace's are those that were opened in it, and those that worked in its directory. */
import type { SqlValue } from '../../base/database.ts';

export type Scope = {
  /** Those that belong to the workspace, wherever they work. */
  ids: readonly string[];
  /** Those that belong to other ones. */
  elsewhere: readonly string[];
  /** Its directory; null: it has none. */
  dir: string | null;
  /** Directories inside of it that are other workspaces'. */
  except: readonly string[];
};

/** A condition on `files`, without and with its values. */
export function scopeCondition(scope: Scope | null): { sql: string; values: SqlValue[] } {
  if (!scope) return { sql: '1', values: [] };
  const own = 'files.session IN (SELECT value FROM json_each(?))';
  const ids = JSON.stringify(scope.ids);
  if (scope.dir === null) return { sql: own, values: [ids] };
  const inside = [scope.dir, ...scope.except].map(within);
  const [dir, ...except] = inside;
  const sql = `(${own} OR (files.session NOT IN (SELECT value FROM json_each(?))
    AND ${[dir?.sql, ...except.map((one) => `NOT ${one.sql}`)].join(' AND ')}))`;
  const values = [ids, JSON.stringify(scope.elsewhere), ...inside.flatMap((one) => one.values)];
  return { sql, values };
}

function within(dir: string): { sql: string; values: SqlValue[] } {
  const below = dir.endsWith('/') ? dir : `${dir}/`;
  // in characters, as substr counts them
  const sql = `(coalesce(files.cwd, '') = ? OR substr(coalesce(files.cwd, ''), 1, length(?)) = ?)`;
  return { sql, values: [dir, below, below] };
}
