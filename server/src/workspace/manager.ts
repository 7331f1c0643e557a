/** The workspaces of this process: their entries, their boards, and the sessions in memory. */
import { homedir } from 'node:os';
import type { ModelChoice, NewSession, SessionSummary, WorkspaceSummary } from '@tscodex/shared/workspace';
import { v7 as uuid } from 'uuid';
import { Failure, messageOf } from '../base/errors.ts';
import type { RuntimeServices } from '../runtime/create-runtime.ts';
import { defaultModel, modelChoices } from '../runtime/model-access.ts';
import type { SessionRuntime } from '../runtime/runtime.ts';
import type { Session } from '../runtime/session-directory.ts';
import {
  closeSession,
  findSession,
  hasUnfinished,
  insertSession,
  openSessions,
  type SessionRow,
} from '../runtime/session-store.ts';
import { rolloutPath } from '../session/rollout.ts';
import { prepareBoardPlace } from './board.ts';
import { watchBoard } from './board-watch.ts';
import type { WorkspaceEntry } from './config-file.ts';
import type { Workspaces } from './workspaces.ts';

/** Changes that come within this time are told as one. */
const JOIN_MS = 50;

type Workspace = WorkspaceEntry & { boardVersion: string | null; stopWatching(): void };

export class WorkspaceManager implements Workspaces {
  readonly #workspaces: Map<string, Workspace>;
  readonly #sessions = new Map<string, Promise<SessionRuntime>>();
  /** Loaded ones, for summaries without waiting. */
  readonly #loaded = new Map<string, SessionRuntime>();
  readonly #broken = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(
    entries: readonly WorkspaceEntry[],
    private readonly services: RuntimeServices,
  ) {
    this.#workspaces = new Map(entries.map((entry) => [entry.id, this.#open(entry)]));
  }

  /** Loads the sessions in which something has to go on. What cannot be loaded is shown as broken. */
  async resumeUnfinished(): Promise<void> {
    const rows = [...this.#workspaces.keys()].flatMap((id) => openSessions(this.services.db, id));
    const unfinished = rows.filter((row) => hasUnfinished(this.services.db, row.id));
    await Promise.allSettled(unfinished.map((row) => this.find(row.id)));
  }

  list(): WorkspaceSummary[] {
    return [...this.#workspaces.keys()].map((id) => this.workspace(id));
  }

  workspace(workspaceId: string): WorkspaceSummary {
    const { id, name, dir, problem, revision, board, boardVersion } = this.#get(workspaceId);
    return {
      ...{ id, name, dir: withTilde(dir), revision },
      ...(problem ? { problem } : {}),
      board: { ...board, version: boardVersion },
      sessions: problem ? [] : this.sessions(id),
    };
  }

  sessions(workspaceId: string): SessionSummary[] {
    this.#get(workspaceId);
    return openSessions(this.services.db, workspaceId).map((row) => {
      const loaded = this.#loaded.get(row.id);
      if (loaded) return loaded.summary();
      const { id, title, model, createdAt, lastActivityAt, lastTurn } = row;
      const problem = this.#broken.get(id);
      const known = { id, title, model, createdAt, lastActivityAt, lastTurn };
      const summary = { ...known, status: 'idle' as const, asks: [] };
      return problem ? { ...summary, problem } : summary;
    });
  }

  models(workspaceId: string): ModelChoice[] {
    this.#get(workspaceId);
    return modelChoices(this.services.config);
  }

  async createSession(workspaceId: string, { title, model, effort }: NewSession): Promise<Session> {
    const workspace = this.#get(workspaceId);
    if (workspace.problem)
      throw new Failure('unavailable', 'workspace.broken', `${workspace.name}: ${workspace.problem}`);
    const { db, config } = this.services;
    const id = uuid();
    const now = new Date();
    await insertSession(db, {
      ...{ id, workspaceId, title: title?.trim() || null, cwd: workspace.dir, backend: 'native' },
      ...{ model: model || defaultModel(config), effort: effort ?? null, profile: config.profile },
      rolloutPath: rolloutPath(config.codexHome, id, now),
      ...{ createdAt: now.toISOString(), lastActivityAt: now.toISOString() },
      ...{ crashes: 0, turnId: null, requestSent: false, canContinue: false },
      ...{ usage: null, lastTurn: null },
    });
    try {
      return await this.find(id);
    } catch (error) {
      await closeSession(db, id);
      throw error;
    } finally {
      this.#changed();
    }
  }

  async closeSession(sessionId: string): Promise<void> {
    if (!this.#sessions.has(sessionId)) this.#row(sessionId);
    // one that cannot be loaded can still be closed
    const session = await this.#sessions.get(sessionId)?.catch(() => undefined);
    try {
      await session?.unload('close');
      await closeSession(this.services.db, sessionId);
    } finally {
      this.#sessions.delete(sessionId);
      this.#loaded.delete(sessionId);
      this.#changed();
    }
  }

  find(sessionId: string): Promise<SessionRuntime> {
    const known = this.#sessions.get(sessionId);
    if (known) return known;
    const loading = this.#load(sessionId);
    this.#sessions.set(sessionId, loading);
    // a session that could not be loaded may be tried again
    loading.catch(() => this.#sessions.delete(sessionId));
    return loading;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends what runs; what waits goes on with the next start. */
  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    for (const workspace of this.#workspaces.values()) workspace.stopWatching();
    this.#closed = true;
    // also those that are being loaded right now
    const sessions = [...this.#sessions.values()];
    await Promise.allSettled(sessions.map(async (loading) => (await loading).unload('shutdown')));
  }

  async #load(sessionId: string): Promise<SessionRuntime> {
    const row = this.#row(sessionId);
    if (this.#closed)
      throw new Failure('unavailable', 'server.stopping', 'The server is stopping; start it again.');
    const { board } = this.#get(row.workspaceId);
    const setup = { boardPath: board.enabled ? board.path : null, onChange: () => this.#changed() };
    try {
      // the agent and its tools are loaded with the first session: the server starts sooner
      const { createRuntime } = await import('../runtime/create-runtime.ts');
      const runtime = await createRuntime(row, setup, this.services);
      this.#loaded.set(row.id, runtime);
      this.#broken.delete(row.id);
      return runtime;
    } catch (error) {
      this.#broken.set(row.id, messageOf(error));
      throw error;
    } finally {
      this.#changed();
    }
  }

  #row(sessionId: string): SessionRow {
    const row = findSession(this.services.db, sessionId);
    if (row && this.#workspaces.has(row.workspaceId)) return row;
    throw new Failure('notFound', 'session.unknown', `There is no open session ${sessionId}.`);
  }

  #open(entry: WorkspaceEntry): Workspace {
    const workspace: Workspace = { ...entry, boardVersion: null, stopWatching: () => undefined };
    if (entry.problem || !entry.board.enabled) return workspace;
    prepareBoardPlace(entry.board.path).catch((error) => {
      workspace.problem = messageOf(error);
      this.#changed();
    });
    workspace.stopWatching = watchBoard(entry.board.path, null, (version) => {
      workspace.boardVersion = version;
      this.#changed();
    });
    return workspace;
  }

  #get(workspaceId: string): Workspace {
    const workspace = this.#workspaces.get(workspaceId);
    if (!workspace)
      throw new Failure('notFound', 'workspace.unknown', `There is no workspace ${workspaceId}.`);
    return workspace;
  }

  #changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      for (const listener of this.#listeners) listener();
    }, JOIN_MS);
  }
}

function withTilde(dir: string): string {
  const home = homedir();
  return dir === home || dir.startsWith(`${home}/`) ? `~${dir.slice(home.length)}` : dir;
}
