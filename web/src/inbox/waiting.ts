/** What waits for a person in all workspaces, as the inbox lists it. Pure. */
import type { AskBrief } from '@tscodex/shared/asks';
import type { SessionSummary, WorkspaceSummary } from '@tscodex/shared/workspace';

export type Waiting = {
  /** Of the ask; of the session where that is paused. */
  key: string;
  workspace: { id: string; name: string };
  session: { id: string; title: string | null };
  /** null: the session is paused, and goes on when somebody resumes it. */
  ask: AskBrief | null;
  since: string;
};

/** The one that has waited longest comes first. */
export function waitingIn(workspaces: readonly WorkspaceSummary[]): Waiting[] {
  const all = workspaces.flatMap(({ id, name, sessions }) =>
    sessions.flatMap((session) => inSession({ id, name }, session)),
  );
  return all.sort(byAge);
}

export function byAge(a: Waiting, b: Waiting): number {
  return a.since < b.since ? -1 : a.since > b.since ? 1 : a.key < b.key ? -1 : 1;
}

function inSession(workspace: Waiting['workspace'], summary: SessionSummary): Waiting[] {
  const { id, title, status, asks, lastActivityAt } = summary;
  const about = { workspace, session: { id, title } };
  const waiting: Waiting[] = asks.map((ask) => ({ ...about, key: ask.id, ask, since: ask.openedAt }));
  if (status === 'paused') waiting.push({ ...about, key: `paused ${id}`, ask: null, since: lastActivityAt });
  return waiting;
}

/** The session that is answered: where an agent asks that it has started, that one's. */
export function askedBy({
  session,
  ask,
}: Pick<Waiting, 'session'> & { ask: Pick<AskBrief, 'agent'> | null }): string {
  return ask?.agent?.id ?? session.id;
}

/** Whether all there is to judge by is in the list: a command, whole, and where it would run. */
export function canDecide({ ask }: Waiting): boolean {
  return ask?.kind === 'approval' && ask.what === 'command' && !ask.cut;
}
