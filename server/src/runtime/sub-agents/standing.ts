/** How an agent that another one has started stands, told from its session. Pure. */
import type { AgentStatus, Item, SubAgent } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import type { SessionSummary } from '@tscodex/shared/workspace';
import type { AgentStanding } from '../../tools/agents.ts';

export type Stand = {
  standing: AgentStanding;
  /** The turn with whose end it came to stand so; null while it works, or has not worked yet. */
  turnId: string | null;
};

/** Characters of a message that the conversation of the other agent shows. */
const SHOWN = 2000;

const INTERRUPTED = 'TurnInterrupted: turn interrupted';

/** Of a session in memory whose agent is not closed. What waits is worked on next, unless a person has to say so. */
export function standOf(
  state: Pick<SessionState, 'turn' | 'waiting' | 'status' | 'items' | 'canContinue'>,
  lastTurn: SessionSummary['lastTurn'],
): Stand {
  if (state.turn !== null || (state.waiting.length > 0 && state.status !== 'paused'))
    return { standing: 'running', turnId: null };
  if (lastTurn === null) return { standing: 'pending_init', turnId: null };
  return { standing: ended(state, lastTurn), turnId: lastTurn.id };
}

function ended(
  { items, canContinue }: Pick<SessionState, 'items' | 'canContinue'>,
  { id, status }: NonNullable<SessionSummary['lastTurn']>,
): AgentStanding {
  if (status === 'interrupted') {
    const cut = canContinue || items.some((item) => isNotice(item, 'turn.interrupted') && item.turnId === id);
    return { errored: cut ? `${INTERRUPTED} by a restart of the server` : INTERRUPTED };
  }
  if (status === 'failed') return { errored: failureOf(items, id) };
  return { completed: answerIn(items, id) };
}

/** Its last message that is said to be the answer, else the last that is not said to be anything, else the last. */
function answerIn(items: readonly Item[], turnId: string): string | null {
  const said = items.flatMap((item) =>
    item.type === 'agentMessage' && item.turnId === turnId ? [item] : [],
  );
  const answer =
    said.findLast(({ phase }) => phase === 'final') ??
    said.findLast(({ phase }) => phase === undefined) ??
    said.at(-1);
  return answer?.text ?? null;
}

function isNotice(item: Item, code: string): boolean {
  return item.type === 'notice' && item.code === code;
}

function failureOf(items: readonly Item[], turnId: string): string {
  const told = items.findLast(
    (item) => item.type === 'notice' && item.level === 'error' && item.turnId === turnId,
  );
  return told?.type === 'notice' ? `${told.code}: ${told.text}` : 'its turn failed';
}

/** As people see it. */
export function statusOf(standing: AgentStanding): AgentStatus {
  if (typeof standing === 'object') return 'completed' in standing ? 'completed' : 'failed';
  if (standing === 'running') return 'running';
  return standing === 'pending_init' ? 'pending' : 'closed';
}

/** The item that shows an agent, as it stands now. One that is closed shows what it has said last. */
export function agentItem(item: SubAgent, standing: AgentStanding, at: string): SubAgent {
  const agentStatus = statusOf(standing);
  const runs = agentStatus === 'pending' || agentStatus === 'running';
  const { completedAt: _, ...rest } = item;
  return {
    ...rest,
    agentStatus,
    status: runs ? 'inProgress' : agentStatus === 'failed' ? 'failed' : 'completed',
    ...(runs ? {} : { completedAt: at }),
    message: messageIn(standing, item.message),
  };
}

function messageIn(standing: AgentStanding, before: string | null): string | null {
  if (typeof standing === 'string') return before;
  return shown('completed' in standing ? (standing.completed ?? '') : standing.errored) || null;
}

/** The beginning of a text. */
export function shown(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
