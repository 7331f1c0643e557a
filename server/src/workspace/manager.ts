/** The workspaces of this process: their entries, their boards, and their sessions. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import type { Held } from '@tscodex/shared/permissions';
import type {
  Backend,
  BackendChoice,
  ConfigReport,
  ModelChoice,
  NewSession,
  NewWorkspace,
  Problem,
  ProfileChoice,
  SessionSummary,
  WorkspaceChange,
  WorkspaceSummary,
} from '@tscodex/shared/workspace';
import { Failure } from '../base/errors.ts';
import { Attachments } from '../runtime/attachments/attachments.ts';
import { modelChoices } from '../runtime/model-access.ts';
import type { Session } from '../runtime/session-directory.ts';
import { effective, heldBy, refuseUnattended } from '../runtime/session-permissions.ts';
import { hasSessionsElsewhere } from '../runtime/session-rows.ts';
import { backendChoices, codexOf } from './backend-choices.ts';
import { ChangeBell } from './change-bell.ts';
import type { WorkspaceEntry } from './config-file.ts';
import { completeDirectory } from './directories.ts';
import { type OpenWorkspace, OpenWorkspaces } from './open-workspaces.ts';
import { OtherSessions } from './other-sessions.ts';
import { importTabs } from './pycodex-tabs.ts';
import { CatalogView, type SessionCatalog } from './session-catalog.ts';
import { sessionCwd } from './session-cwd.ts';
import type { ServerServices } from './session-services.ts';
import { SessionShelf } from './session-shelf.ts';
import { SessionsInMemory } from './sessions-in-memory.ts';
import { addWorkspace, changeWorkspace, type EditPlace, removeWorkspace } from './workspace-edits.ts';
import type { Workspaces } from './workspaces.ts';

export type ListPlace = EditPlace & {
  /** What people should know, for the log. */
  warn(text: string): void;
};

export class WorkspaceManager implements Workspaces {
  readonly #open: OpenWorkspaces;
  readonly #sessions: SessionsInMemory;
  readonly #shelf: SessionShelf;
  readonly #bell = new ChangeBell();
  /** What pages may ask of all sessions there are. */
  readonly catalog: SessionCatalog;
  /** Those whose sessions are about to be closed. */
  readonly #removing = new Set<string>();
  /** Of the configuration, as they were last told. */
  #problems: readonly Problem[] = [];
  /** The last of the imports of tabs, which come one after another. */
  #imports: Promise<void> = Promise.resolve();

  constructor(
    private readonly place: ListPlace,
    private readonly services: ServerServices,
  ) {
    const { file } = place;
    this.#open = new OpenWorkspaces({
      changed: () => this.#bell.ring(),
      directoryStirred: () => void file.refresh(),
    });
    this.#sessions = new SessionsInMemory(
      {
        has: (id) => this.#open.has(id),
        boardPath: (id) => (this.#open.has(id) ? boardPathOf(this.#open.get(id)) : null),
        rules: (id) => this.#open.rules(id),
        directories: () => this.#open.places,
        changed: () => this.#bell.ring(),
        others: (session) =>
          new OtherSessions(session, {
            list: (query) => this.catalog.list(query),
            open: (workspaceId, id) => this.reopenSession(workspaceId, id),
          }),
      },
      services,
    );
    const { catalog } = services;
    this.#shelf = new SessionShelf({
      ...{ services, catalog },
      has: (id) => this.#open.has(id),
      close: (id) => this.#sessions.close(id),
      changed: () => this.#bell.ring(),
    });
    const view = new CatalogView(catalog, services.db, this.#open);
    this.catalog = {
      list: (query) => view.list(query),
      search: (query) => view.search(query),
      archive: (id, archived) => this.#shelf.archive(id, archived),
      remove: (id) => this.#shelf.remove(id),
      restore: (id) => this.#shelf.restore(id),
    };
    this.#open.update(file.entries);
    this.#importTabs();
    file.onChange(() => this.#takeList());
    this.#problems = services.configs.report.problems;
    services.configs.onChange(() => this.#takeConfig());
    catalog.onNamed((names) => {
      this.#sessions
        .takeNames(names)
        .catch((error) => services.fault('take over what sessions are called', error));
    });
  }

  /** Loads the sessions in which something has to go on. What cannot be loaded is shown as broken. */
  resumeUnfinished(): Promise<void> {
    return this.#sessions.resumeUnfinished(this.#open.ids);
  }

  /** Whether this machine can confine commands has changed. */
  showPermissions(): void {
    this.#sessions.showPermissions();
    this.#bell.ring();
  }

  list(): WorkspaceSummary[] {
    return this.#open.ids.map((id) => this.workspace(id));
  }

  problem(): Problem | null {
    return this.place.file.problem;
  }

  workspace(workspaceId: string): WorkspaceSummary {
    const workspace = this.#open.get(workspaceId);
    const { id, name, dir, problem, revision, board, boardVersion, permissions } = workspace;
    return {
      ...{ id, name, dir: withTilde(dir), revision },
      ...(problem ? { problem } : {}),
      board: { ...board, version: boardVersion },
      permissions,
      ...(problem ? {} : { newSessions: this.#newSessions(permissions) }),
      sessions: problem ? [] : this.sessions(id),
    };
  }

  async add(asked: NewWorkspace): Promise<WorkspaceSummary> {
    const isUsed = (id: string, dir: string) => hasSessionsElsewhere(this.services.db, id, dir);
    return this.workspace(await addWorkspace(this.place, asked, isUsed));
  }

  async change(workspaceId: string, change: WorkspaceChange): Promise<WorkspaceSummary> {
    const isWorking = () => this.#sessions.isWorking(workspaceId);
    if (change.permissions) this.#refuseUnattended(workspaceId, change.permissions);
    await changeWorkspace(this.place, workspaceId, change, isWorking);
    return this.workspace(workspaceId);
  }

  async remove(workspaceId: string): Promise<void> {
    this.#removing.add(workspaceId);
    try {
      await removeWorkspace(this.place.file, workspaceId);
      await this.#sessions.closeAll(workspaceId);
    } finally {
      this.#removing.delete(workspaceId);
    }
  }

  async directories(typed: string, workspaceId: string | undefined): Promise<string[]> {
    if (workspaceId === undefined) return completeDirectory(typed, this.place.home);
    const { dir, problem } = this.#open.get(workspaceId);
    return problem ? [] : completeDirectory(typed, dir, dir);
  }

  sessions(workspaceId: string): SessionSummary[] {
    return this.#sessions.summaries(this.#open.get(workspaceId).id);
  }

  models(workspaceId: string): ModelChoice[] {
    this.#open.get(workspaceId);
    return modelChoices(this.services.configs.current);
  }

  profiles(): ProfileChoice[] {
    return [...this.services.configs.profiles];
  }

  backends(workspaceId: string): BackendChoice[] {
    const { backend } = this.#open.get(workspaceId);
    return backendChoices(this.services, this.#open.places, backend);
  }

  /** What drives new sessions that do not say, as it is configured and in each workspace. */
  usualBackends(): Backend[] {
    return [this.services.configs.current.backend, ...this.#open.backends];
  }

  /** The program of sessions on Codex. Throws `codex.missing`. */
  codex(): string {
    return codexOf(this.services, this.#open.places);
  }

  configReport(): ConfigReport {
    return this.services.configs.report;
  }

  attachments(workspaceId: string): Attachments {
    const { db, stateDir } = this.services;
    return new Attachments(db, stateDir, this.#open.get(workspaceId).id);
  }

  async createSession(workspaceId: string, options: NewSession): Promise<Session> {
    const { id, dir, backend } = await this.#usable(workspaceId);
    return this.#sessions.create({ id, cwd: await sessionCwd(dir, options.cwd), backend }, options);
  }

  async reopenSession(workspaceId: string, sessionId: string) {
    const { id, dir } = await this.#usable(workspaceId);
    const news = await this.#shelf.prepare({ id, dir }, sessionId);
    const opened = await this.#sessions.reopen(id, sessionId);
    if (news) opened.session.tell(news);
    return opened;
  }

  closedSessions(workspaceId: string): SessionSummary[] {
    return this.#sessions.closed(this.#open.get(workspaceId).id);
  }

  forkSession(sessionId: string, before?: string): Promise<Session> {
    return this.#sessions.fork(sessionId, before);
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
    this.place.file.close();
    this.#open.close();
    await Promise.all([this.#imports, this.#shelf.settled(), this.#sessions.shutDown()]);
  }

  /** What is removed by hand may come back the same way: its sessions stay open. */
  #takeList(): void {
    const { entries, problem } = this.place.file;
    if (problem !== null) this.place.warn(`the list of workspaces stays as it was: ${problem.message}`);
    const { came, went } = this.#open.update(entries);
    this.#sessions.showPermissions();
    const { fault } = this.services;
    for (const id of went.filter((gone) => !this.#removing.has(gone)))
      this.#sessions.unloadAll(id).catch((error) => fault(`could not unload the sessions of ${id}`, error));
    this.#sessions.resumeUnfinished(came).catch((error) => fault('could not go on where it was', error));
    this.#importTabs();
  }

  /** What could not be loaded may be whole now. */
  #takeConfig(): void {
    const { configs, fault } = this.services;
    const { problems } = configs.report;
    this.#bell.ring();
    // a session that is tried again looks at the configuration, too
    if (isDeepStrictEqual(problems, this.#problems)) return;
    this.#problems = problems;
    for (const { code, message } of problems)
      this.place.warn(code === 'config.model' ? message : `the configuration stays as it was: ${message}`);
    this.#sessions
      .resumeUnfinished(this.#open.ids)
      .catch((error) => fault('could not go on where it was', error));
  }

  #importTabs(): void {
    this.#imports = this.#imports.then(async () => {
      for (const entry of this.place.file.entries)
        if (await importTabs(entry, this.services, this.place.warn)) this.#bell.ring();
    });
  }

  /** What a session that is made now will have. */
  #newSessions(permissions: WorkspaceSummary['permissions']): Held {
    const { configs, sandbox } = this.services;
    return heldBy(effective(configs.current.permissions, permissions), sandbox);
  }

  /** Throws `permissions.unattended`. */
  #refuseUnattended(workspaceId: string, change: NonNullable<WorkspaceChange['permissions']>): void {
    const config = this.services.configs.current;
    const said = { ...this.#open.get(workspaceId).permissions, ...change };
    // null takes a setting back: then the configuration's counts
    const kept = Object.entries(said).filter(([, value]) => value !== null);
    refuseUnattended(effective(config.permissions, Object.fromEntries(kept)), config);
  }

  /** Throws `workspace.broken`. */
  async #usable(workspaceId: string): Promise<OpenWorkspace> {
    // where the disk tells nothing of what happens to it, this is when one learns of it
    if (!existsSync(this.#open.get(workspaceId).dir)) await this.place.file.refresh();
    const workspace = this.#open.get(workspaceId);
    const { name, problem } = workspace;
    if (!problem) return workspace;
    throw new Failure('unavailable', 'workspace.broken', `${name}: ${problem.message}`, {
      details: { name },
    });
  }
}

function boardPathOf({ board }: WorkspaceEntry): string | null {
  return board.enabled ? board.path : null;
}

function withTilde(dir: string): string {
  const home = homedir();
  return dir === home || dir.startsWith(`${home}/`) ? `~${dir.slice(home.length)}` : dir;
}
