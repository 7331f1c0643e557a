/** The sessions of the catalogue, by last activity. */
import * as z from 'zod';
import type { Database, SqlValue } from '../../base/database.ts';
import { Failure } from '../../base/errors.ts';
import { type Scope, scopeCondition } from './scope.ts';

/** A session as its file tells it. */
export type CatalogRow = {
  id: string;
  path: string;
  archived: boolean;
  bytes: number;
  createdAt: string;
  lastActivityAt: string;
  cwd: string | null;
  originator: string | null;
  model: string | null;
  preview: string | null;
  forkedFrom: string | null;
  /** What it was called in Codex. */
  name: string | null;
};

export type ListQuery = {
  archived: boolean;
  scope: Scope | null;
  /** `titled`: ids of sessions whose own title it is in. */
  find: { q: string; titled: readonly string[]; home: string } | null;
  cursor: string | null;
  limit: number;
};

export type CatalogList = { rows: CatalogRow[]; next: string | null };

export const ROW_COLUMNS = `files.session, files.path, files.archived, files.size, files.created_at, files.last_at,
  files.cwd, files.originator, files.model, files.preview, files.forked_from, names.name`;

/** What is listed, with its name. */
const LISTED = `files LEFT JOIN names ON names.session = files.session`;
export const IS_LISTED = 'files.shown = 1 AND files.parent IS NULL';

/** Throws `catalog.cursor`. */
export function listRows(db: Database, { archived, scope, find, cursor, limit }: ListQuery): CatalogList {
  const conditions = [IS_LISTED, 'files.archived = ?'];
  const values: SqlValue[] = [archived ? 1 : 0];
  const add = (sql: string, ...more: SqlValue[]) => {
    conditions.push(sql);
    values.push(...more);
  };
  if (cursor !== null) add('(files.last_at, files.session) < (?, ?)', ...placeOf(cursor));
  if (scope) {
    const inScope = scopeCondition(scope);
    add(inScope.sql, ...inScope.values);
  }
  if (find) add(...found(find));
  const rows = db.read(
    `SELECT ${ROW_COLUMNS} FROM ${LISTED} WHERE ${conditions.join(' AND ')}
       ORDER BY files.last_at DESC, files.session DESC LIMIT ?`,
    ...[...values, limit + 1],
  );
  const page = rows.slice(0, limit).map(toCatalogRow);
  const last = page.at(-1);
  return { rows: page, next: rows.length > limit && last ? cursorAt(last) : null };
}

export function findRow(db: Database, id: string): CatalogRow | null {
  const [row] = db.read(`SELECT ${ROW_COLUMNS} FROM ${LISTED} WHERE ${IS_LISTED} AND files.session = ?`, id);
  return row ? toCatalogRow(row) : null;
}

function found({ q, titled, home }: NonNullable<ListQuery['find']>): [string, ...SqlValue[]] {
  const anywhere = `%${likeText(q)}%`;
  const path = `%${likeText(q.replace(/^~(?=$|\/)/, home))}%`;
  return [
    `(files.preview LIKE ? ESCAPE '\\' OR names.name LIKE ? ESCAPE '\\' OR files.cwd LIKE ? ESCAPE '\\'
      OR files.session LIKE ? ESCAPE '\\' OR files.session IN (SELECT value FROM json_each(?)))`,
    ...[anywhere, anywhere, path, `${likeText(q)}%`, JSON.stringify(titled)],
  ];
}

/** For LIKE, with `\` to escape. */
export function likeText(text: string): string {
  return text.replaceAll('\0', ' ').replace(/[\\%_]/g, '\\$&');
}

const cursorPlace = z.tuple([z.string(), z.string()]);

function cursorAt({ lastActivityAt, id }: CatalogRow): string {
  return Buffer.from(JSON.stringify([lastActivityAt, id])).toString('base64url');
}

function placeOf(cursor: string): [string, string] {
  try {
    return cursorPlace.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new Failure(
      'invalid',
      'catalog.cursor',
      'The cursor is none of this list: begin without one, or take `next` of the page before.',
    );
  }
}

export function toCatalogRow(row: Record<string, unknown>): CatalogRow {
  const text = (name: string) => row[name] as string | null;
  return {
    ...{ id: String(row.session), path: String(row.path), archived: row.archived === 1 },
    ...{ bytes: Math.max(0, Number(row.size)), createdAt: String(row.created_at) },
    ...{ lastActivityAt: String(row.last_at), cwd: text('cwd'), originator: text('originator') },
    ...{ model: text('model'), preview: text('preview'), forkedFrom: text('forked_from') },
    name: text('name'),
  };
}
