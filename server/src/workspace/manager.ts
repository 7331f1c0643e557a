/** The workspaces of this process: their entries, their boards, and their sessions. */
import { homedir } from 'node:os';
import type { ModelChoice, NewSession, SessionSummary, WorkspaceSummary } from '@tscodex/shared/workspace';
import { Failure, messageOf } from '../base/errors.ts';
import { Attachments } from '../runtime/attachments.ts';
import type { RuntimeServices } from '../runtime/create-runtime.ts';
import { modelChoices } from '../runtime/model-access.ts';
import type { Session } from '../runtime/session-directory.ts';
import { prepareBoardPlace } from './board.ts';
import { watchBoard } from './board-watch.ts';
import { ChangeBell } from './change-bell.ts';
import type { WorkspaceEntry } from './config-file.ts';
import { sessionCwd } from './session-cwd.ts';
import { SessionsInMemory } from './sessions-in-memory.ts';
import type { Workspaces } from './workspaces.ts';

type Workspace = WorkspaceEntry & { boardVersion: string | null; stopWatching(): void };

export class WorkspaceManager implements Workspaces {
  readonly #workspaces: Map<string, Workspace>;
  readonly #sessions: SessionsInMemory;
  readonly #bell = new ChangeBell();

  constructor(
    entries: readonly WorkspaceEntry[],
    private readonly services: RuntimeServices,
  ) {
    this.#workspaces = new Map(entries.map((entry) => [entry.id, this.#open(entry)]));
    const home = {
      has: (id: string) => this.#workspaces.has(id),
      boardPath: (id: string) => boardPathOf(this.#get(id)),
      changed: () => this.#bell.ring(),
    };
    this.#sessions = new SessionsInMemory(home, services);
  }

  /** Loads the sessions in which something has to go on. What cannot be loaded is shown as broken. */
  resumeUnfinished(): Promise<void> {
    return this.#sessions.resumeUnfinished([...this.#workspaces.keys()]);
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
    return this.#sessions.summaries(this.#get(workspaceId).id);
  }

  models(workspaceId: string): ModelChoice[] {
    this.#get(workspaceId);
    return modelChoices(this.services.config);
  }

  attachments(workspaceId: string): Attachments {
    const { db, stateDir } = this.services;
    return new Attachments(db, stateDir, this.#get(workspaceId).id);
  }

  async createSession(workspaceId: string, options: NewSession): Promise<Session> {
    const { id, dir } = this.#usable(workspaceId);
    return this.#sessions.create({ id, cwd: await sessionCwd(dir, options.cwd) }, options);
  }

  async reopenSession(workspaceId: string, sessionId: string) {
    return this.#sessions.reopen(this.#usable(workspaceId).id, sessionId);
  }

  closedSessions(workspaceId: string): SessionSummary[] {
    return this.#sessions.closed(this.#get(workspaceId).id);
  }

  moveSession(sessionId: string, position: number): Promise<void> {
    return this.#sessions.move(sessionId, position);
  }

  closeSession(sessionId: string): Promise<void> {
    return this.#sessions.close(sessionId);
  }

  find(sessionId: string): Promise<Session> {
    return this.#sessions.find(sessionId);
  }

  onChange(listener: () => void): () => void {
    return this.#bell.listen(listener);
  }

  /** Ends what runs; what waits goes on with the next start. */
  async close(): Promise<void> {
    this.#bell.close();
    for (const workspace of this.#workspaces.values()) workspace.stopWatching();
    await this.#sessions.shutDown();
  }

  #open(entry: WorkspaceEntry): Workspace {
    const workspace: Workspace = { ...entry, boardVersion: null, stopWatching: () => undefined };
    if (entry.problem || !entry.board.enabled) return workspace;
    prepareBoardPlace(entry.board.path).catch((error) => {
      workspace.problem = messageOf(error);
      this.#bell.ring();
    });
    workspace.stopWatching = watchBoard(entry.board.path, null, (version) => {
      workspace.boardVersion = version;
      this.#bell.ring();
    });
    return workspace;
  }

  #usable(workspaceId: string): Workspace {
    const workspace = this.#get(workspaceId);
    if (!workspace.problem) return workspace;
    throw new Failure('unavailable', 'workspace.broken', `${workspace.name}: ${workspace.problem}`);
  }

  #get(workspaceId: string): Workspace {
    const workspace = this.#workspaces.get(workspaceId);
    if (!workspace)
      throw new Failure('notFound', 'workspace.unknown', `There is no workspace ${workspaceId}.`);
    return workspace;
  }
}

function boardPathOf({ board }: WorkspaceEntry): string | null {
  return board.enabled ? board.path : null;
}

function withTilde(dir: string): string {
  const home = homedir();
  return dir === home || dir.startsWith(`${home}/`) ? `~${dir.slice(home.length)}` : dir;
}
