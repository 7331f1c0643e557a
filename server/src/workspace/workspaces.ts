/** The workspaces this server offers; what pages and API see of them. */
import type { ModelChoice, NewSession, SessionSummary, WorkspaceSummary } from '@tscodex/shared/workspace';
import type { Session, SessionDirectory } from '../runtime/session-directory.ts';

export interface Workspaces extends SessionDirectory {
  list(): WorkspaceSummary[];
  /** Called after anything that `list` shows has changed; joined, at most a few times a second. */
  onChange(listener: () => void): () => void;
  /** Throws `notFound`. */
  workspace(workspaceId: string): WorkspaceSummary;
  sessions(workspaceId: string): SessionSummary[];
  models(workspaceId: string): ModelChoice[];
  /** Throws `notFound`, `unavailable` (broken workspace). */
  createSession(workspaceId: string, options: NewSession): Promise<Session>;
  /** Ends what runs, releases the writer lock, keeps the file. Throws `notFound`. */
  closeSession(sessionId: string): Promise<void>;
}
