/**
 * Which sessions are in memory, and what is known of those that are not. Long, because loading and leaving follow one
 * another by state that is only here.
 */
import type { SessionStatus } from '@tscodex/shared/events';
import type { NewSession, Problem, SessionSummary } from '@tscodex/shared/workspace';
import type { Config } from '../base/config/config.ts';
import type { ConfigPlace } from '../base/config/config-store.ts';
import { Failure, messageOf, problemOf } from '../base/errors.ts';
import type { SessionSurroundings } from '../runtime/create-runtime.ts';
import { refuseDeleted } from '../runtime/deleted-sessions.ts';
import type { Farewell } from '../runtime/farewells.ts';
import type { HeldSession } from '../runtime/held-session.ts';
import type { SessionsElsewhere } from '../runtime/resume-command.ts';
import type { SessionRuntime } from '../runtime/runtime.ts';
import type { WorkspaceRules } from '../runtime/session-permissions.ts';
import {
  closedSessions,
  closeSessions,
  findClosedSession,
  findSession,
  hasUnfinished,
  openSessions,
  orderSessions,
  reopenSession,
  type SessionRow,
} from '../runtime/session-rows.ts';
import {
  agentsOf,
  closeAgents,
  familyOf,
  isUntold,
  openAgents,
  rootOf,
  showFamily,
} from '../runtime/sub-agents/agent-rows.ts';
import { checkConversation } from './conversation-file.ts';
import { followRevert } from './follow-revert.ts';
import { forkSession } from './fork-session.ts';
import { insertNewSession, type NewSessionPlace } from './new-session.ts';
import { sessionCwd } from './session-cwd.ts';
import { sessionFamily } from './session-family.ts';
import { type ServerServices, sessionServices } from './session-services.ts';
import { takeNames } from './take-names.ts';

const CLOSED_LISTED = 100;

/** What sessions need to know of their workspaces. */
export interface SessionHome {
  has(workspaceId: string): boolean;
  /** Where a workspace's board is; null where it has none, or is gone itself. */
  boardPath(workspaceId: string): string | null;
  /** What it says for its sessions, and where it and the others are. */
  rules(workspaceId: string): WorkspaceRules;
  /** The directories of all of them. */
  directories(): string[];
  changed(): void;
  /** What one may go to from a session. */
  others(session: { id: string; workspaceId: string }): SessionsElsewhere;
}

/** `HeldSession`: one that another program writes. */
type LoadedSession = SessionRuntime | HeldSession;

export class SessionsInMemory {
  readonly #sessions = new Map<string, Promise<LoadedSession>>();
  /** Loaded ones, for summaries without waiting. */
  readonly #loaded = new Map<string, LoadedSession>();
  readonly #broken = new Map<string, Problem>();
  /** Those on their way out of memory: none is loaded again before it is out. */
  readonly #leaving = new Map<string, Promise<void>>();
  #closed = false;

  constructor(
    private readonly home: SessionHome,
    private readonly services: ServerServices,
  ) {}

  /** Loads the sessions in which something has to go on. What cannot be loaded is shown as broken. */
  async resumeUnfinished(workspaceIds: readonly string[]): Promise<void> {
    const { db } = this.services;
    const own = workspaceIds.flatMap((id) => openSessions(db, id)).filter(({ id }) => hasUnfinished(db, id));
    const agents = workspaceIds
      .flatMap((id) => openAgents(db, id))
      .filter((row) => !row.closed && (hasUnfinished(db, row.id) || isUntold(row)));
    // an agent is found by the session that has started it
    const ids = new Set([...own.map(({ id }) => id), ...agents.map(({ id, parentId }) => parentId ?? id)]);
    await Promise.allSettled([...ids].map((id) => this.find(id)));
  }

  /** The open sessions of a workspace, in the order of their tabs. */
  summaries(workspaceId: string): SessionSummary[] {
    return openSessions(this.services.db, workspaceId).map((row) => {
      const loaded = this.#loaded.get(row.id);
      if (loaded) return loaded.summary();
      const problem = this.#broken.get(row.id);
      return problem ? { ...summaryOf(row, 'idle'), problem } : summaryOf(row, 'idle');
    });
  }

  /** Those of a workspace that can be opened again, the newest first. */
  closed(workspaceId: string): SessionSummary[] {
    return closedSessions(this.services.db, workspaceId, CLOSED_LISTED).map((row) =>
      summaryOf(row, 'closed'),
    );
  }

  /** Throws what `insertNewSession` does, and what loading throws. */
  async create(workspace: NewSessionPlace, asked: NewSession): Promise<LoadedSession> {
    const directories = this.home.directories();
    return this.#begin(await insertNewSession(workspace, asked, { ...this.services, directories }));
  }

  /** A new session beside another one, with its conversation up to the message `before`, or all that has ended. */
  async fork(sessionId: string, before?: string): Promise<LoadedSession> {
    const source = await this.find(sessionId);
    const path = await source.recorded();
    const row = this.#row(sessionId);
    const others = openSessions(this.services.db, row.workspaceId);
    const config = await this.services.configs.of(this.#configPlace(row));
    const titles = others.map(({ title }) => title);
    const id = await forkSession(row, { path, before, config, titles }, this.services);
    const ids = others.map((other) => other.id);
    const tab = rootOf(this.services.db, row).id;
    await orderSessions(this.services.db, ids.toSpliced(ids.indexOf(tab) + 1, 0, id));
    return this.#begin(id);
  }

  /** Loads a session that has just been made; one that cannot be loaded is closed again. */
  async #begin(sessionId: string): Promise<LoadedSession> {
    try {
      return await this.find(sessionId);
    } catch (error) {
      await closeSessions(this.services.db, [sessionId]);
      throw error;
    } finally {
      this.home.changed();
    }
  }

  /** Throws `session.unknown`, `session.file-gone`, and what loading throws; it then stays closed. */
  async reopen(
    workspaceId: string,
    sessionId: string,
  ): Promise<{ session: LoadedSession; wasOpen: boolean }> {
    const { db } = this.services;
    while (this.#leaving.has(sessionId)) await this.#left(sessionId);
    this.#refuseWhenStopping();
    if (findSession(db, sessionId)?.workspaceId === workspaceId)
      return { session: await this.find(sessionId), wasOpen: true };
    const row = findClosedSession(db, sessionId);
    if (row?.workspaceId !== workspaceId || row.parentId !== null) {
      refuseDeleted(db, sessionId);
      throw new Failure('notFound', 'session.unknown', `There is no session ${sessionId} in this workspace.`);
    }
    await checkConversation(db, row); // before it is on the list, broken
    await Promise.all([reopenSession(db, sessionId), showFamily(db, sessionId)]);
    try {
      return { session: await this.find(sessionId), wasOpen: false };
    } catch (error) {
      await closeSessions(db, [sessionId]);
      this.#broken.delete(sessionId);
      throw error;
    } finally {
      this.home.changed();
    }
  }

  /** Sessions were called something elsewhere. */
  async takeNames(given: ReadonlyMap<string, string>): Promise<void> {
    await takeNames(given, async (id) => this.#sessions.get(id)?.catch(() => undefined), this.services);
    this.home.changed();
  }

  /** Gives a session another place among those of its workspace. Beyond the last place is the last. */
  async move(sessionId: string, position: number): Promise<void> {
    const { workspaceId } = this.#row(sessionId);
    const others = openSessions(this.services.db, workspaceId).filter(({ id }) => id !== sessionId);
    const ids = others.map(({ id }) => id).toSpliced(position, 0, sessionId);
    await orderSessions(this.services.db, ids);
    this.home.changed();
  }

  async close(sessionId: string): Promise<void> {
    const { db } = this.services;
    if (this.#leaving.has(sessionId)) {
      while (this.#leaving.has(sessionId)) await this.#left(sessionId);
      if (!findSession(db, sessionId)) return; // somebody else has just closed it
    }
    if (this.#row(sessionId).parentId !== null) return this.#closeAgent(sessionId);
    // read when it is used: each of them starts more until it has come to rest
    const below = () => familyOf(db, sessionId).filter((id) => id !== sessionId);
    await this.#leave(sessionId, 'close', async () => {
      const ids = below();
      await Promise.all([closeSessions(db, [sessionId, ...ids]), closeAgents(db, ids)]);
      await this.#closeAgentsOf(sessionId);
      await closeSessions(db, below());
    });
  }

  /** Ends the agent of a session that another one's has started, and all that it has started itself. */
  async #closeAgent(sessionId: string): Promise<void> {
    const { db } = this.services;
    await closeAgents(db, familyOf(db, sessionId));
    await this.#leaveAll([sessionId], 'close');
    await this.#closeAgentsOf(sessionId);
  }

  /** Once the session itself has come to rest: before, it may start more. */
  async #closeAgentsOf(sessionId: string): Promise<void> {
    await Promise.all(agentsOf(this.services.db, sessionId).map(({ id }) => this.#closeAgent(id)));
  }

  /** Those of them that are in memory. */
  async #leaveAll(ids: readonly string[], how: Parameters<SessionRuntime['unload']>[0]): Promise<void> {
    await Promise.all(ids.filter((id) => this.#sessions.has(id)).map((id) => this.#leave(id, how)));
  }

  /** Closes all of a workspace, which is gone: none comes back by itself, however it ends. */
  async closeAll(workspaceId: string): Promise<void> {
    const { db, fault } = this.services;
    const ids = openSessions(db, workspaceId).map(({ id }) => id);
    const below = openAgents(db, workspaceId).map(({ id }) => id);
    const ends = [...ids, ...below].map((id) => this.#leave(id, 'close'));
    const closed = [closeSessions(db, [...ids, ...below]), closeAgents(db, below)];
    for (const end of await Promise.allSettled([...ends, ...closed]))
      if (end.status === 'rejected') fault(`could not close all sessions of ${workspaceId}`, end.reason);
    this.home.changed();
  }

  /** Takes all of a workspace out of memory, as at the end of the server: they go on when it comes back. */
  async unloadAll(workspaceId: string): Promise<void> {
    const { db } = this.services;
    const rows = [...openSessions(db, workspaceId), ...openAgents(db, workspaceId)];
    await this.#leaveAll(
      rows.map(({ id }) => id),
      'unlist',
    );
  }

  /** What sessions may do may have changed: those in memory look again. */
  showPermissions(): void {
    for (const runtime of this.#loaded.values()) runtime.showPermissions();
  }

  /** Whether a turn runs in a workspace. */
  isWorking(workspaceId: string): boolean {
    const working: readonly SessionStatus[] = ['running', 'asking', 'stopping'];
    return [...this.#loaded.values()].some(
      (session) => session.workspaceId === workspaceId && working.includes(session.summary().status),
    );
  }

  /** Loads the session if need be. Throws `session.unknown`, `session.file-gone`, and what loading throws. */
  async find(sessionId: string): Promise<LoadedSession> {
    let row = this.#row(sessionId);
    while (this.#leaving.has(sessionId)) {
      await this.#left(sessionId);
      row = this.#row(sessionId);
    }
    const known = this.#sessions.get(sessionId);
    if (known) return known;
    const loading = this.#load(row);
    this.#sessions.set(sessionId, loading);
    // a session that could not be loaded may be tried again
    loading.catch(() => this.#forget(sessionId, loading));
    return loading;
  }

  /** Ends what runs; what waits goes on with the next start. */
  async shutDown(): Promise<void> {
    this.#closed = true;
    // also those that are being loaded right now
    for (const id of this.#sessions.keys()) if (!this.#leaving.has(id)) void this.#leave(id, 'shutdown');
    await Promise.allSettled(this.#leaving.values());
  }

  /** Takes a session out of memory, if it is there, then does `last`; after whatever else takes it out. */
  #leave(sessionId: string, how: Farewell, last: () => Promise<void> = async () => undefined): Promise<void> {
    const before = this.#left(sessionId);
    const leave = async () => {
      await before;
      const loading = this.#sessions.get(sessionId);
      try {
        await (await loading?.catch(() => undefined))?.unload(how); // one that never loaded holds nothing
        await last();
      } finally {
        this.#forget(sessionId, loading);
        if (this.#leaving.get(sessionId) === leaving) this.#leaving.delete(sessionId);
        this.home.changed();
      }
    };
    const leaving = leave();
    this.#leaving.set(sessionId, leaving);
    return leaving;
  }

  /** Resolves when the session has left; how that went is for those who sent it away. */
  async #left(sessionId: string): Promise<void> {
    await this.#leaving.get(sessionId)?.catch(() => undefined);
  }

  /** Unless it was loaded anew since. */
  #forget(sessionId: string, loading: Promise<LoadedSession> | undefined): void {
    if (this.#sessions.get(sessionId) !== loading) return;
    this.#sessions.delete(sessionId);
    this.#loaded.delete(sessionId);
  }

  async #load(known: SessionRow): Promise<LoadedSession> {
    this.#refuseWhenStopping();
    try {
      const row = await followRevert(known, this.services);
      await checkConversation(this.services.db, row);
      // the agent and its tools are loaded with the first session: the server starts sooner
      const { createHeld, createRuntime } = await import('../runtime/create-runtime.ts');
      const services = await sessionServices(this.#configPlace(row), this.services);
      const surroundings = this.#surroundings(row, services.config);
      const runtime = await createRuntime(row, surroundings, services).catch((error) => {
        if (!isLocked(error)) throw error;
        return createHeld(row, surroundings, services, () => void this.#takeOver(row.id));
      });
      this.#loaded.set(row.id, runtime);
      this.#broken.delete(row.id);
      // what becomes of an agent is told to the one that has started it
      if (row.parentId !== null) void this.find(row.parentId).catch(() => undefined); // it says itself what is wrong
      return runtime;
    } catch (error) {
      this.#broken.set(known.id, problemOf(error));
      throw error;
    } finally {
      this.home.changed();
    }
  }

  /** Whoever wrote the session has let go: it is loaded to be written here, and its viewers go on with it. */
  async #takeOver(sessionId: string): Promise<void> {
    const held = await this.#sessions.get(sessionId);
    if (!held || !('handOver' in held) || this.#leaving.has(sessionId)) return;
    await this.#leave(sessionId, 'unlist');
    try {
      held.handOver(await this.find(sessionId));
    } catch (error) {
      held.end(messageOf(error));
    }
  }

  /** What a session may do holds for the agents that it has started. */
  #changed(sessionId: string): void {
    for (const runtime of this.#loaded.values())
      if (runtime.snapshot().state.parentId === sessionId) runtime.showPermissions();
    this.home.changed();
  }

  async #directory(workspaceId: string, asked: string): Promise<string> {
    const { dir } = this.home.rules(workspaceId);
    if (dir !== null) return sessionCwd(dir, asked);
    throw new Failure('unavailable', 'workspace.gone', 'The workspace is not there right now.');
  }

  #surroundings(row: SessionRow, config: Config): SessionSurroundings {
    const { db, version } = this.services;
    return {
      boardPath: () => this.home.boardPath(row.workspaceId),
      workspace: () => this.home.rules(row.workspaceId),
      family: sessionFamily(row.id, {
        ...{ db, version, config },
        parent: () => this.#row(row.id),
        find: (id) => this.find(id),
        close: (id) => this.close(id),
      }),
      onChange: () => this.#changed(row.id),
      directory: (asked: string) => this.#directory(row.workspaceId, asked),
      fork: async () => (await this.fork(row.id)).summary(),
      sessions: this.home.others(row),
    };
  }

  #configPlace({ profile, cwd: directory }: SessionRow): ConfigPlace {
    return { profile, directory, workspaces: this.home.directories() };
  }

  #refuseWhenStopping(): void {
    if (this.#closed)
      throw new Failure('unavailable', 'server.stopping', 'The server is stopping; start it again.');
  }

  #row(sessionId: string): SessionRow {
    const row = findSession(this.services.db, sessionId);
    if (row && this.home.has(row.workspaceId)) return row;
    refuseDeleted(this.services.db, sessionId);
    throw new Failure('notFound', 'session.unknown', `There is no open session ${sessionId}.`);
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Failure && error.code === 'session.locked';
}

/** A session that is not in memory. */
function summaryOf(row: SessionRow, status: 'idle' | 'closed'): SessionSummary {
  const { id, title, model, createdAt, lastActivityAt, lastTurn } = row;
  return { id, title, model, createdAt, lastActivityAt, lastTurn, status, asks: [] };
}
