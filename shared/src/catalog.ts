/** Every session of $CODEX_HOME, ours and Codex's: found, read, put away. */
import * as z from 'zod';
import { QUERY_LIMIT } from './limits.ts';

export const catalogEntry = z.object({
  /** Of the session, which is that of Codex's thread. */
  id: z.string(),
  title: z.string().nullable(),
  /** The first thing a person said, one line; null where nobody has said anything. */
  preview: z.string().nullable(),
  /** Where its agent works, with `~` for the home of the user the server runs as; null where its file does not say. */
  cwd: z.string().nullable(),
  /** The program that made it, as the file says: `tscodex`, `codex_cli_rs`, … */
  originator: z.string().nullable(),
  model: z.string().nullable(),
  createdAt: z.string(),
  lastActivityAt: z.string(),
  /** Of its file. */
  bytes: z.number(),
  archived: z.boolean(),
  /** The session it was forked from. */
  forkedFrom: z.string().nullable(),
  /** The workspace it belongs to: the one it was opened in, else the one whose directory holds its own; null: none. */
  workspaceId: z.string().nullable(),
  /** Whether it has a tab there. */
  open: z.boolean(),
});
export type CatalogEntry = z.infer<typeof catalogEntry>;

/** While files are still being read what is told may lack some. */
export const indexing = z.object({ done: z.number(), total: z.number() });
export type Indexing = z.infer<typeof indexing>;

/**
 * `GET /api/catalog?workspace=&archived=&q=&cursor=&limit=`: by last activity, the newest first. `q` is looked for in
 * titles, first messages and directories, and as the beginning of an id. `archived=true`: those alone.
 */
export const catalogQuery = z.object({
  workspace: z.string().max(100).optional(),
  archived: z.stringbool().default(false),
  q: z.string().max(QUERY_LIMIT).optional(),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type CatalogQuery = z.infer<typeof catalogQuery>;

export const catalogPage = z.object({
  sessions: z.array(catalogEntry),
  /** The cursor for the page after this; null: there is none. */
  next: z.string().nullable(),
  /** null: all files have been read. */
  indexing: indexing.nullable(),
});
export type CatalogPage = z.infer<typeof catalogPage>;

/** A piece of a text; `hit`: it is what was looked for. */
export const snippetPart = z.object({ text: z.string(), hit: z.boolean() });

export const searchHit = z.object({
  /** The session of the sub-agent that it was said in; absent: the session itself. */
  session: z.string().optional(),
  /** The item it is in: `…/items?around=`. */
  itemId: z.string(),
  by: z.enum(['user', 'agent']),
  at: z.string(),
  snippet: z.array(snippetPart),
});
export type SearchHit = z.infer<typeof searchHit>;

/**
 * `GET /api/search?q=&workspace=&archived=&limit=`: what was said in sessions, archived ones last, the newest first.
 * `archived=true`: in those alone; `false`: in none of them.
 */
export const searchQuery = z.object({
  q: z.string().trim().min(1).max(QUERY_LIMIT),
  workspace: z.string().max(100).optional(),
  archived: z.stringbool().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(30),
});
export type SearchQuery = z.infer<typeof searchQuery>;

export const searchResult = z.object({
  sessions: z.array(
    z.object({
      session: catalogEntry,
      /** The newest of it. */
      hits: z.array(searchHit),
      /** How many more there are in it. */
      more: z.number(),
    }),
  ),
  /** Whether there is more than was asked for. */
  cut: z.boolean(),
  indexing: indexing.nullable(),
});
export type SearchResult = z.infer<typeof searchResult>;

/** Body of `PATCH /api/catalog/:id`: into Codex's `archived_sessions`, where it stays readable, and back. */
export const catalogChange = z.strictObject({ archived: z.boolean() });

/**
 * `DELETE /api/catalog/:id` takes a session away, its tab with it; `POST /api/catalog/:id/restore` brings it back
 * until then.
 */
export const deleted = z.object({ restorableUntil: z.string() });
export type Deleted = z.infer<typeof deleted>;
