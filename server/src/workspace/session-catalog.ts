/** What pages may ask of the catalogue: every session of $CODEX_HOME, with what this server knows of each. */
import { homedir } from 'node:os';
import type {
  CatalogEntry,
  CatalogPage,
  CatalogQuery,
  Deleted,
  SearchQuery,
  SearchResult,
} from '@tscodex/shared/catalog';
import type { Database } from '../base/database.ts';
import { isWithin } from '../base/paths.ts';
import { type KnownSession, knownSessions, sessionsOf, sessionsTitled } from '../runtime/catalog-rows.ts';
import type { Catalog } from '../session/catalog/catalog.ts';
import { type CatalogRow, likeText } from '../session/catalog/listing.ts';
import type { Scope } from '../session/catalog/scope.ts';

export interface SessionCatalog {
  /** Throws `workspace.unknown` and `catalog.cursor`. */
  list(query: CatalogQuery): CatalogPage;
  /** Throws `workspace.unknown`. */
  search(query: SearchQuery): SearchResult;
  /**
   * Moves a session into Codex's archive, or back; an open one is closed first. Throws `session.unknown`,
   * `session.locked` and what the disk refuses.
   */
  archive(sessionId: string, archived: boolean): Promise<void>;
  /** Takes a session away, with those of its sub-agents; until then it can be restored. Throws as `archive`, and `session.has-forks`. */
  remove(sessionId: string): Promise<Deleted>;
  /** Of one that is there nothing happens. Throws `session.not-deleted`, and as `archive`. */
  restore(sessionId: string): Promise<void>;
}

/** The workspaces there are, and where they work. */
export interface WorkspacePlaces {
  readonly ids: readonly string[];
  /** Throws `workspace.unknown`. */
  get(workspaceId: string): { dir: string };
}

/** Reads the catalogue for pages. */
export class CatalogView {
  constructor(
    private readonly catalog: Catalog,
    private readonly db: Database,
    private readonly workspaces: WorkspacePlaces,
  ) {}

  list({ workspace, archived, q, cursor, limit }: CatalogQuery): CatalogPage {
    const words = q?.trim();
    const { rows, next } = this.catalog.list({
      ...{ archived, limit, scope: this.#scope(workspace), cursor: cursor ?? null },
      find: words
        ? { q: words, titled: sessionsTitled(this.db, `%${likeText(words)}%`), home: homedir() }
        : null,
    });
    return { sessions: this.entries(rows), next, indexing: this.catalog.indexing };
  }

  search({ q, workspace, archived, limit }: SearchQuery): SearchResult {
    const { sessions, cut } = this.catalog.search(
      q,
      {
        ...{ scope: this.#scope(workspace), archived },
        // one of Codex's was never opened here
        agents: (sessions) => new Set(knownSessions(this.db, sessions).keys()),
      },
      limit,
    );
    const entries = this.entries(sessions.map(({ row }) => row));
    return {
      sessions: sessions.flatMap(({ hits, more }, at) => {
        const session = entries[at];
        return session ? [{ session, hits, more }] : [];
      }),
      ...{ cut, indexing: this.catalog.indexing },
    };
  }

  entries(rows: readonly CatalogRow[]): CatalogEntry[] {
    const known = knownSessions(
      this.db,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => this.#entry(row, known.get(row.id)));
  }

  #entry(row: CatalogRow, known: KnownSession | undefined): CatalogEntry {
    const { id, preview, originator, createdAt, lastActivityAt, bytes, archived, forkedFrom } = row;
    const cwd = known?.visited ? row.cwd : (known?.cwd ?? row.cwd);
    return {
      ...{ id, preview, originator, createdAt, lastActivityAt, bytes, archived, forkedFrom },
      title: known?.title ?? row.name,
      cwd: cwd === null ? null : withTilde(cwd),
      model: known?.model ?? row.model,
      workspaceId: this.#workspaceOf(known, cwd),
      open: known?.open === true && this.#has(known.workspaceId),
    };
  }

  #workspaceOf(known: KnownSession | undefined, cwd: string | null): string | null {
    if (known && !known.visited && this.#has(known.workspaceId)) return known.workspaceId;
    if (cwd === null) return null;
    const holding = this.workspaces.ids
      .map((id) => ({ id, dir: this.workspaces.get(id).dir }))
      .filter(({ dir }) => isWithin(cwd, dir))
      // the innermost
      .sort((a, b) => b.dir.length - a.dir.length);
    return holding[0]?.id ?? null;
  }

  /** As `#workspaceOf` sees them. null: all. */
  #scope(workspaceId: string | undefined): Scope | null {
    if (workspaceId === undefined) return null;
    const { dir } = this.workspaces.get(workspaceId);
    const others = this.workspaces.ids.filter((id) => id !== workspaceId);
    const inside = others.map((id) => this.workspaces.get(id).dir).filter((other) => isWithin(other, dir));
    return {
      ids: sessionsOf(this.db, [workspaceId]),
      elsewhere: sessionsOf(this.db, others),
      dir,
      except: inside.filter((other) => other !== dir),
    };
  }

  #has(workspaceId: string): boolean {
    return this.workspaces.ids.includes(workspaceId);
  }
}

function withTilde(dir: string): string {
  const home = homedir();
  return dir === home || dir.startsWith(`${home}/`) ? `~${dir.slice(home.length)}` : dir;
}
