/**
 * Puts sessions away and takes them out again: into Codex's archive, into the trash, and from the catalogue into a
 * workspace that has never had them. With each session one after another, so that two people who do so at once meet in
 * no half of it.
 */
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Deleted } from '@tscodex/shared/catalog';
import type { Notice } from '@tscodex/shared/items';
import { TITLE_LIMIT } from '@tscodex/shared/limits';
import type { Database } from '../base/database.ts';
import { Failure } from '../base/errors.ts';
import { InTurn } from '../base/in-turn.ts';
import {
  type KnownSession,
  knownSession,
  markVisiting,
  moveConversation,
  moveToWorkspace,
} from '../runtime/catalog-rows.ts';
import {
  type DeletedSession,
  deletedSessions,
  forgetDeleted,
  keepDeleted,
  type MovedFile,
  restorableUntil,
  sweepDeleted,
  trashOf,
} from '../runtime/deleted-sessions.ts';
import { defaultModel } from '../runtime/model-access.ts';
import { notice } from '../runtime/notice.ts';
import { markRecorded } from '../runtime/recorded-sessions.ts';
import { closeSessions, insertSession, UNTOUCHED } from '../runtime/session-rows.ts';
import type { Catalog } from '../session/catalog/catalog.ts';
import type { CatalogRow } from '../session/catalog/listing.ts';
import { noteInCodexIndex } from '../session/codex-index.ts';
import { archiveMoves, moveSessionFile, moveTogether } from '../session/move-session-file.ts';
import { refuseForeign } from '../session/writer-lock.ts';
import { sessionCwd } from './session-cwd.ts';
import type { ServerServices } from './session-services.ts';

type Ports = {
  services: Pick<ServerServices, 'db' | 'stateDir' | 'configs' | 'fault'>;
  catalog: Catalog;
  /** Whether there is such a workspace. */
  has(workspaceId: string): boolean;
  /** Closes a session that is open. */
  close(sessionId: string): Promise<void>;
  /** What is listed has changed. */
  changed(): void;
};

export class SessionShelf {
  /** By session: one that closes a session waits for the commands typed there, and these may open another one. */
  readonly #work = new InTurn();

  constructor(private readonly ports: Ports) {}

  archive(sessionId: string, archived: boolean): Promise<void> {
    return this.#work.run(sessionId, () => this.#archive(sessionId, archived));
  }

  remove(sessionId: string): Promise<Deleted> {
    return this.#work.run(sessionId, () => this.#remove(sessionId));
  }

  restore(sessionId: string): Promise<void> {
    return this.#work.run(sessionId, () => this.#restore(sessionId));
  }

  /**
   * Before a session is opened: what only the catalogue knows becomes a closed one of the workspace, and comes out of
   * the archive. Returns what is to be said in it.
   */
  prepare(workspace: { id: string; dir: string }, sessionId: string): Promise<Notice | null> {
    return this.#work.run(sessionId, () => this.#prepare(workspace, sessionId));
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#work.settled();
  }

  async #archive(id: string, archived: boolean): Promise<void> {
    const { row, known, files } = await this.#found(id);
    const { codexHome } = this.#config;
    const createdAt = row?.createdAt ?? new Date().toISOString();
    const places = archiveMoves(codexHome, files, { archived, createdAt });
    const moves = places.filter(({ from, to }) => from !== to);
    if (archived) await this.#closeOwn(id);
    if (moves.length > 0) await this.#move([id], moves);
    // also where nothing moves: it may have been moved without Codex before
    this.#tellCodex({ id, paths: places.map(({ to }) => to), archived });
    if (moves.length === 0) return;
    const moved = moves.find(({ from }) => from === known?.path);
    if (moved) await moveConversation(this.#db, id, moved.to);
    this.ports.changed();
  }

  async #remove(id: string): Promise<Deleted> {
    const { catalog } = this.ports;
    const family = this.#family(id);
    const found = await Promise.all(family.map((one) => this.#found(one)));
    const fork = family.flatMap((one) => catalog.forksOf(one)).find((one) => !family.includes(one));
    if (fork !== undefined)
      throw new Failure(
        'conflict',
        'session.has-forks',
        `Session ${fork} was forked from this one and begins in its file: delete that one first, or archive this one.`,
        { details: { session: fork } },
      );
    for (const one of family) await this.#closeOwn(one);
    const deletedAt = new Date().toISOString();
    const deleted = family.map((one, at): DeletedSession => {
      const before = deletedSessions(this.#db, one).find((session) => session.id === one)?.files ?? [];
      const files = found[at]?.files ?? [];
      const moved = files.map(({ path }, n) => ({
        from: path,
        to: this.#inTrash(one, before.length + n, path),
      }));
      return { id: one, files: [...before, ...moved], deletedAt };
    });
    // what is not moved any more because of a crash can be deleted once more
    await keepDeleted(this.#db, deleted, id);
    const moves = deleted.flatMap(({ files }) => files);
    try {
      await this.#move(family, moves);
    } catch (error) {
      await this.#putBack(moves);
      await forgetDeleted(this.#db, family);
      throw error;
    }
    this.ports.changed();
    const { fault, stateDir } = this.ports.services;
    sweepDeleted(this.#db, stateDir).catch((error) => fault('sweep deleted sessions', error));
    return { restorableUntil: restorableUntil({ deletedAt }) };
  }

  async #restore(id: string): Promise<void> {
    const sessions = deletedSessions(this.#db, id);
    if (!sessions.some((session) => session.id === id)) {
      // who asks once more, because what was to follow has failed, has what was asked for
      if (this.ports.catalog.filesOf(id).length > 0 || knownSession(this.#db, id)) return;
      throw new Failure(
        'notFound',
        'session.not-deleted',
        `There is no deleted session ${id}: after a while they are gone for good.`,
      );
    }
    await this.#putBack(sessions.flatMap(({ files }) => files));
    await forgetDeleted(
      this.#db,
      sessions.map((session) => session.id),
    );
    this.ports.changed();
  }

  async #prepare(workspace: { id: string; dir: string }, id: string): Promise<Notice | null> {
    const known = knownSession(this.#db, id);
    const row = this.ports.catalog.find(id);
    // what another program writes is read where it lies, and so is what is in memory here
    if (row?.archived)
      await this.#archive(id, false).catch((error) => {
        if (!(error instanceof Failure && error.code === 'session.locked')) throw error;
      });
    if (known && !known.visited && this.ports.has(known.workspaceId)) return null;
    if (!row) return null; // whoever opens it says that there is none
    const asked = known?.visited ? row.cwd : (known?.cwd ?? row.cwd);
    const cwd = await sessionCwd(workspace.dir, asked ?? undefined).catch(() => workspace.dir);
    if (known) {
      await Promise.all([closeSessions(this.#db, [id]), moveToWorkspace(this.#db, id, workspace.id, cwd)]);
    } else await this.#insert(workspace.id, cwd, row);
    return asked === null || cwd === asked ? null : movedNotice(asked, cwd);
  }

  async #insert(workspaceId: string, cwd: string, row: CatalogRow): Promise<void> {
    const config = this.#config;
    const { id, createdAt, lastActivityAt } = row;
    const rolloutPath = this.ports.catalog.filesOf(id)[0]?.path ?? row.path;
    const title = (row.name ?? row.preview)?.slice(0, TITLE_LIMIT) ?? null;
    // in one commit: no page sees it open before it is
    await Promise.all([
      insertSession(this.#db, {
        ...{ id, workspaceId, title, cwd, rolloutPath, backend: 'native', createdAt, lastActivityAt },
        ...{ model: defaultModel(config), effort: null, profile: config.profile, ...UNTOUCHED },
      }),
      closeSessions(this.#db, [id]),
      this.#db.write((run) => {
        markRecorded(run, id);
        // where a file does not say where it belongs, it belongs where it was opened
        if (row.cwd !== null) markVisiting(run, id);
      }),
    ]);
  }

  /** Throws `session.unknown`. */
  async #found(id: string) {
    const { catalog } = this.ports;
    const row = catalog.find(id);
    const known = knownSession(this.#db, id);
    const files = catalog.filesOf(id);
    const isDeleted = deletedSessions(this.#db, id).some((session) => session.id === id);
    if (files.length === 0 && (!known || isDeleted))
      throw new Failure('notFound', 'session.unknown', `There is no session ${id}.`, {
        details: { session: id },
      });
    // one that was just made is not in the catalogue yet
    const isNew = known && !files.some(({ path }) => path === known.path) && (await isThere(known.path));
    const archive = join(this.#config.codexHome, 'archived_sessions');
    const own = isNew ? [{ path: known.path, archived: known.path.startsWith(archive) }] : [];
    return { row, known: known as KnownSession | null, files: [...files, ...own] };
  }

  /** Throws `session.locked` where another program writes it; it then stays open to be read. */
  async #closeOwn(id: string): Promise<void> {
    if (!knownSession(this.#db, id)?.open) return;
    refuseForeign(this.#config.codexHome, id);
    await this.ports.close(id);
  }

  /** The files lie where they should; without this Codex alone does not find them. */
  #tellCodex(session: Parameters<typeof noteInCodexIndex>[1]): void {
    try {
      noteInCodexIndex(this.#config.codexHome, session);
    } catch (error) {
      this.ports.services.fault('note in the index of Codex where a session lies', error);
    }
  }

  /** A session and those of its sub-agents, and of theirs. */
  #family(id: string): string[] {
    const family = [id];
    for (const one of family)
      for (const child of this.ports.catalog.childrenOf(one)) if (!family.includes(child)) family.push(child);
    return family;
  }

  async #move(ids: readonly string[], moves: readonly MovedFile[]): Promise<void> {
    await moveTogether(this.#config.codexHome, ids, moves);
    await this.ports.catalog.moved(moves.flatMap(({ from, to }) => [from, to]));
  }

  async #putBack(files: readonly MovedFile[]): Promise<void> {
    for (const { from, to } of files) if (await isThere(to)) await moveSessionFile(to, from);
    await this.ports.catalog.moved(files.map(({ from }) => from));
  }

  #inTrash(id: string, n: number, path: string): string {
    return join(trashOf(this.ports.services.stateDir, id), `${n}-${basename(path)}`);
  }

  get #db(): Database {
    return this.ports.services.db;
  }

  get #config() {
    return this.ports.services.configs.current;
  }
}

function movedNotice(from: string, to: string): Notice {
  const text = `This session worked in ${from}, which is not in this workspace or not there any more. It goes on in ${to}.`;
  return notice('warning', 'session.moved', text, { details: { from, to } });
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
