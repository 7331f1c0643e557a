/** What was said in sessions: the sessions by last activity, archived ones last, and of each the newest hits. */
import type { SearchHit } from '@tscodex/shared/catalog';
import type { Database, SqlValue } from '../../base/database.ts';
import { type CatalogRow, IS_LISTED, ROW_COLUMNS, toCatalogRow } from './listing.ts';
import { fileOfNumber } from './numbers.ts';
import { parseQuery, type Query } from './query.ts';
import { type Scope, scopeCondition } from './scope.ts';
import { snippetOf } from './snippet.ts';

export type SearchFound = {
  sessions: { row: CatalogRow; hits: SearchHit[]; more: number }[];
  /** There is more than this. */
  cut: boolean;
};

const HITS_SHOWN = 3;

/** What has more hits is everywhere: of those the newest are looked at. */
const MOST_HITS = 2000;

/** Sessions, the newest, in which it is then looked for beside them, and messages of each. */
const LOOKED_THROUGH = 50;
const LOOKED_AT = 100;

/** What a session has of it: numbers of messages, its own before those of its sub-agents, the newest of each first. */
type Hits = readonly number[];
type Candidate = { row: CatalogRow; file: number; hits: Hits };

/** Which sessions; `archived` undefined: the archived ones, too. `agents`: of these those that can be shown. */
export type Among = {
  scope: Scope | null;
  archived: boolean | undefined;
  agents(sessions: readonly string[]): ReadonlySet<string>;
};

export function searchRows(db: Database, q: string, among: Among, limit: number): SearchFound {
  const query = parseQuery(q);
  if (!query) return { sessions: [], cut: false };
  const { byFile, isAll } = newestHits(db, query);
  const agents = agentsIn(db, byFile, among);
  for (const { file, root } of agents.values())
    byFile.set(root, [...(byFile.get(root) ?? []), ...(byFile.get(file) ?? [])]);
  const found: Candidate[] = listed(db, among, [...byFile.keys()], limit + 1).map((one) => ({
    ...one,
    hits: byFile.get(one.file) ?? [],
  }));
  // a session that began long ago may be at work right now
  if (!isAll) found.push(...newestSessions(db, query, among, byFile));
  const sessions = found
    .sort(byActivity)
    .slice(0, limit)
    .map(({ row, hits }) => {
      const shown = hits.slice(0, HITS_SHOWN);
      return { row, hits: messages(db, shown, query, agents), more: hits.length - shown.length };
    });
  return { sessions, cut: !isAll || found.length > limit };
}

/** By their files. */
function newestHits(db: Database, query: Query): { byFile: Map<number, number[]>; isAll: boolean } {
  const { sql, values } = matches(query);
  const rows = db.read<{ id: number }>(`${sql} ORDER BY rowid LIMIT ?`, ...values, MOST_HITS + 1);
  const byFile = new Map<number, number[]>();
  for (const { id } of rows) {
    const file = fileOfNumber(id);
    byFile.set(file, [...(byFile.get(file) ?? []), id]);
  }
  return { byFile, isAll: rows.length <= MOST_HITS };
}

/** A session of a sub-agent, its file, and that of the session that people have begun. */
type Agent = { session: string; file: number; root: number };

/** Those in which something was found, by their files. */
function agentsIn(db: Database, found: ReadonlyMap<number, unknown>, { agents }: Among): Map<number, Agent> {
  const rows = db.read<Agent>(
    `WITH RECURSIVE up (session, file, above) AS (
       SELECT session, id, parent FROM files
         WHERE id IN (SELECT value FROM json_each(?)) AND shown = 1 AND parent IS NOT NULL
       UNION SELECT up.session, up.file, files.parent FROM up
         JOIN files ON files.session = up.above AND files.shown = 1 AND files.parent IS NOT NULL)
     SELECT up.session, up.file, files.id AS root FROM up
       JOIN files ON files.session = up.above AND files.shown = 1 AND files.parent IS NULL`,
    JSON.stringify([...found.keys()]),
  );
  const shown = agents(rows.map(({ session }) => session));
  return new Map(rows.filter(({ session }) => shown.has(session)).map((agent) => [agent.file, agent]));
}

function listed(
  db: Database,
  { scope, archived }: Among,
  files: readonly number[] | null,
  limit: number,
): Omit<Candidate, 'hits'>[] {
  const inScope = scopeCondition(scope);
  const inFiles = files ? 'files.id IN (SELECT value FROM json_each(?))' : '1';
  const put = archived === undefined ? '1' : `files.archived = ${archived ? 1 : 0}`;
  const rows = db.read(
    `SELECT ${ROW_COLUMNS}, files.id AS file FROM files LEFT JOIN names ON names.session = files.session
       WHERE ${IS_LISTED} AND ${put} AND ${inFiles} AND ${inScope.sql}
       ORDER BY files.archived, files.last_at DESC, files.session DESC LIMIT ?`,
    ...[...(files ? [JSON.stringify(files)] : []), ...inScope.values, limit],
  );
  return rows.map((row) => ({ file: Number(row.file), row: toCatalogRow(row) }));
}

/** Those that have it in their last messages, but for those that are known to. */
function newestSessions(
  db: Database,
  query: Query,
  among: Among,
  known: ReadonlyMap<number, unknown>,
): Candidate[] {
  return listed(db, among, null, LOOKED_THROUGH)
    .filter(({ file }) => !known.has(file))
    .map((one) => ({ ...one, hits: lastHits(db, one.file, query) }))
    .filter(({ hits }) => hits.length > 0);
}

function lastHits(db: Database, file: number, { every }: Query): Hits {
  const rows = db.read<{ id: number; text: string }>(
    'SELECT id, text FROM said WHERE file = ? ORDER BY id LIMIT ?',
    ...[file, LOOKED_AT],
  );
  return rows.filter(({ text }) => every.every((word) => word.test(text))).map(({ id }) => id);
}

function byActivity({ row: a }: Candidate, { row: b }: Candidate): number {
  return (
    Number(a.archived) - Number(b.archived) ||
    compare(b.lastActivityAt, a.lastActivityAt) ||
    compare(b.id, a.id)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function messages(
  db: Database,
  ids: Hits,
  { words }: Query,
  agents: ReadonlyMap<number, Agent>,
): SearchHit[] {
  const rows = db.read<{ id: number; item: string; by: SearchHit['by']; at: string; text: string }>(
    'SELECT id, item, by, at, text FROM said WHERE id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  );
  return rows
    .sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    .map(({ id, item, by, at, text }) => {
      const agent = agents.get(fileOfNumber(id));
      return {
        ...(agent && { session: agent.session }),
        ...{ itemId: item, by, at, snippet: snippetOf(text, words) },
      };
    });
}

/** A query for the numbers, called `id`, of what has all of the words. */
function matches({ grams, terms }: Query): { sql: string; values: SqlValue[] } {
  const [first, second] = [
    ...(grams === null ? [] : [{ table: 'grams', match: grams }]),
    ...(terms === null ? [] : [{ table: 'terms', match: terms }]),
  ];
  const one = (table = '') => `SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ?`;
  if (!second) return { sql: one(first?.table), values: [first?.match ?? ''] };
  // `+`: one table is gone through, the other one is not asked again for each of its rows
  return {
    sql: `${one(first?.table)} AND +rowid IN (${one(second.table)})`,
    values: [first?.match ?? '', second.match],
  };
}
