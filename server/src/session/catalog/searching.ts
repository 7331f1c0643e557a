/** What was said in sessions: the sessions by last activity, archived ones last, and of each the newest hits. */
import type { SearchHit } from '@tscodex/shared/catalog';
import type { Database, SqlValue } from '../../base/database.ts';
import { type CatalogRow, IS_LISTED, ROW_COLUMNS, toCatalogRow } from './listing.ts';
import { parseQuery, type Query } from './query.ts';
import { NUMBER_BITS } from './schema.ts';
import { type Scope, scopeCondition } from './scope.ts';
import { snippetOf } from './snippet.ts';

export type SearchFound = {
  sessions: { row: CatalogRow; hits: SearchHit[]; more: number }[];
  cut: boolean;
};

const HITS_SHOWN = 3;

export function searchRows(db: Database, q: string, scope: Scope | null, limit: number): SearchFound {
  const query = parseQuery(q);
  if (!query) return { sessions: [], cut: false };
  const matching = matches(query, '');
  const inScope = scopeCondition(scope);
  const rows = db.read(
    `SELECT ${ROW_COLUMNS}, files.id AS file, hits.n AS n
       FROM (SELECT rowid >> ${NUMBER_BITS} AS file, count(*) AS n FROM (${matching.sql}) GROUP BY 1) AS hits
       JOIN files ON files.id = hits.file LEFT JOIN names ON names.session = files.session
       WHERE ${IS_LISTED} AND ${inScope.sql}
       ORDER BY files.archived, files.last_at DESC, files.session DESC LIMIT ?`,
    ...[...matching.values, ...inScope.values, limit + 1],
  );
  const sessions = rows.slice(0, limit).map((row) => {
    const hits = hitsIn(db, Number(row.file), query);
    return { row: toCatalogRow(row), hits, more: Math.max(0, Number(row.n) - hits.length) };
  });
  return { sessions, cut: rows.length > limit };
}

/** The newest of one file, the newest first. */
function hitsIn(db: Database, file: number, query: Query): SearchHit[] {
  const first = file * 2 ** NUMBER_BITS;
  const { sql, values } = matches(query, 'AND rowid BETWEEN ? AND ?', first, first + 2 ** NUMBER_BITS - 1);
  const rows = db.read<{ item: string; by: SearchHit['by']; at: string; text: string }>(
    `SELECT item, by, at, text FROM said WHERE id IN (
       SELECT rowid FROM (${sql}) ORDER BY rowid DESC LIMIT ${HITS_SHOWN}) ORDER BY id DESC`,
    ...values,
  );
  return rows.map(({ item, by, at, text }) => ({
    ...{ itemId: item, by, at },
    snippet: snippetOf(text, query.words),
  }));
}

/** A query for the numbers of what has all of the words. */
function matches(
  { grams, terms }: Query,
  where: string,
  ...more: SqlValue[]
): { sql: string; values: SqlValue[] } {
  const parts = [
    ...(grams === null ? [] : [{ table: 'grams', match: grams }]),
    ...(terms === null ? [] : [{ table: 'terms', match: terms }]),
  ];
  return {
    sql: parts
      .map(({ table }) => `SELECT rowid FROM ${table} WHERE ${table} MATCH ? ${where}`)
      .join(' INTERSECT '),
    values: parts.flatMap(({ match }) => [match, ...more]),
  };
}
