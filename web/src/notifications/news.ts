/** What has happened in sessions between two looks at all of them: the reasons to tell somebody. Pure. */
import type { AskBrief } from '@tscodex/shared/asks';
import type { SessionStatus } from '@tscodex/shared/events';
import type { SessionSummary, WorkspaceSummary } from '@tscodex/shared/workspace';

export const kinds = ['done', 'waiting', 'failed'] as const;
export type Kind = (typeof kinds)[number];

export type News = {
  /** The same on every page that finds it, and never that of anything else. */
  key: string;
  kind: Kind;
  workspace: Pick<WorkspaceSummary, 'id' | 'name'>;
  session: Pick<SessionSummary, 'id' | 'title'>;
  /** What waits, where it is that. */
  ask: Pick<AskBrief, 'id' | 'kind' | 'agent'> | null;
};

/** By session: the turn whose end has been told of, and the asks. */
export type Known = ReadonlyMap<string, { turn: string | null; asks: readonly string[] }>;

/** Asks of a session that are remembered; a server that has just started tells of them a little later. */
const ASKS_KEPT = 50;

const busy: readonly SessionStatus[] = ['running', 'asking', 'stopping'];

/**
 * What is new, and what is known from now on. Nothing is new to a page that has just been opened (null), nor in a
 * session that it sees for the first time: it has not happened under its eyes.
 */
export function newsIn(
  known: Known | null,
  workspaces: readonly WorkspaceSummary[],
): { known: Known; news: News[] } {
  const next = new Map<string, { turn: string | null; asks: readonly string[] }>();
  const news: News[] = [];
  for (const workspace of workspaces) {
    for (const session of workspace.sessions) {
      const before = known?.get(session.id);
      // the end of a turn counts once nothing follows it at once
      const ended = before && busy.includes(session.status) ? before.turn : (session.lastTurn?.id ?? null);
      const asks = session.asks.map(({ id }) => id);
      const fresh = asks.filter((id) => !before?.asks.includes(id));
      next.set(session.id, { turn: ended, asks: [...(before?.asks ?? []), ...fresh].slice(-ASKS_KEPT) });
      if (!before) continue;
      for (const ask of session.asks.filter(({ id }) => fresh.includes(id)))
        news.push(newsOf('waiting', ask.id, workspace, session, ask));
      const kind = ended !== null && ended !== before.turn ? kindOfEnd(session) : null;
      if (kind !== null) news.push(newsOf(kind, ended ?? '', workspace, session));
    }
  }
  return { known: next, news };
}

/** Who has stopped a turn knows it. */
function kindOfEnd({ lastTurn }: SessionSummary): Kind | null {
  if (lastTurn?.status === 'completed') return 'done';
  return lastTurn?.status === 'failed' ? 'failed' : null;
}

function newsOf(
  kind: Kind,
  id: string,
  workspace: WorkspaceSummary,
  session: SessionSummary,
  ask?: SessionSummary['asks'][number],
): News {
  return {
    key: `${kind} ${id}`,
    kind,
    workspace: { id: workspace.id, name: workspace.name },
    session: { id: session.id, title: session.title },
    ask: ask ? { id: ask.id, kind: ask.kind, ...(ask.agent && { agent: ask.agent }) } : null,
  };
}
