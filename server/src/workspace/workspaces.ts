/** The workspaces this server offers; what pages and API see of them. */
import type {
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
import type { Attachments } from '../runtime/attachments/attachments.ts';
import type { Session, SessionDirectory } from '../runtime/session-directory.ts';

export interface Workspaces extends SessionDirectory {
  list(): WorkspaceSummary[];
  /** Called after anything that `list` shows has changed; joined, at most a few times a second. */
  onChange(listener: () => void): () => void;
  /** Why the list cannot be read from its file right now; it is then as it was before. */
  problem(): Problem | null;
  /** What is to be said about the files of the configuration. */
  configReport(): ConfigReport;
  /** Throws `notFound`. */
  workspace(workspaceId: string): WorkspaceSummary;
  /** Throws `invalid`, `conflict` and, where the disk refuses, `unavailable`; nothing has changed then. */
  add(asked: NewWorkspace): Promise<WorkspaceSummary>;
  /** Throws as `add`, and `notFound`. */
  change(workspaceId: string, change: WorkspaceChange): Promise<WorkspaceSummary>;
  /** Ends what runs, closes its sessions, keeps all files. Throws as `change`. */
  remove(workspaceId: string): Promise<void>;
  /** What the path of a directory may be completed to; of one workspace, or of this machine. Throws `notFound`. */
  directories(typed: string, workspaceId: string | undefined): Promise<string[]>;
  sessions(workspaceId: string): SessionSummary[];
  models(workspaceId: string): ModelChoice[];
  /** What can drive a new session; the first where nothing is said. Throws `notFound`. */
  backends(workspaceId: string): BackendChoice[];
  /** The profiles of the configuration. */
  profiles(): ProfileChoice[];
  /** Its images. Throws `notFound`. */
  attachments(workspaceId: string): Attachments;
  /** Those that were closed, the newest 100, newest first. */
  closedSessions(workspaceId: string): SessionSummary[];
  /** Throws `notFound`, `unavailable` (broken workspace), `invalid` (its directory). */
  createSession(workspaceId: string, options: NewSession): Promise<Session>;
  /** Opens a closed session of the workspace again; `wasOpen`: there was nothing to do. Throws as `createSession`. */
  reopenSession(workspaceId: string, sessionId: string): Promise<{ session: Session; wasOpen: boolean }>;
  /** A new session beside another one, with its conversation up to the message `before`. Throws as `createSession`. */
  forkSession(sessionId: string, before?: string): Promise<Session>;
  /** Gives an open session another place among those of its workspace, from 0. Throws `notFound`. */
  moveSession(sessionId: string, position: number): Promise<void>;
  /** Ends what runs, releases the writer lock, keeps the file. Throws `notFound`. */
  closeSession(sessionId: string): Promise<void>;
}

/** undefined where there is nothing to say about the configuration. */
export function toldConfig(workspaces: Pick<Workspaces, 'configReport'>): ConfigReport | undefined {
  const report = workspaces.configReport();
  return report.problems.length > 0 || report.notices.length > 0 ? report : undefined;
}
