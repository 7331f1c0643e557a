/**
 * The fold. `applyEvent` is the one function that turns events into what is shown: the server keeps its
 * snapshot with it and the page its view, so both hold the same. It never mutates: what did not change is the
 * same object as before, so a view may compare by identity.
 */
import type { Ask } from './asks.ts';
import type {
  AgentSummary,
  BackgroundCommand,
  Clock,
  Cost,
  ItemDelta,
  SessionEvent,
  SessionStatus,
  Usage,
  Writer,
} from './events.ts';
import type { Input } from './inputs.ts';
import { weightOf } from './item-weight.ts';
import type { Item, PlanStep } from './items.ts';
import { ITEMS_KEPT, OUTPUT_HEAD, OUTPUT_TAIL, WEIGHT_KEPT } from './limits.ts';
import type { Held, Permissions } from './permissions.ts';

export type SessionState = Held & {
  id: string;
  workspaceId: string;
  parentId: string | null;
  /** The session it was forked from. */
  forkedFrom: string | null;
  title: string | null;
  cwd: string;
  backend: string;
  model: string | null;
  effort: string | null;
  profile: string | null;
  status: SessionStatus;
  /** Who else writes it: as long as that is so it can be read here, and is shown as it grows. */
  heldBy: Writer | null;
  canContinue: boolean;
  /** What was set for this session alone. */
  ownPermissions: Partial<Permissions>;
  /** What its workspace, or the configuration, says. */
  givenPermissions: Permissions;
  /** How many times something was allowed for the rest of the session and not taken back. */
  grantCount: number;
  createdAt: string;
  /** The running turn. */
  turn: { id: string; startedAt: string } | null;
  /** Oldest first. */
  items: Item[];
  /** The id of the oldest item here that has older ones behind it: the cursor for the page before. */
  older: string | null;
  /** Inputs not yet taken, in the order they will be. */
  waiting: Input[];
  asks: Ask[];
  usage: {
    last: Usage;
    turn?: Usage;
    total: Usage;
    cost?: Cost;
    unpriced?: string[];
    contextTokens?: number;
    contextEstimated?: boolean;
    contextWindow?: number;
    contextLeft?: number;
  } | null;
  plan: { explanation?: string; steps: PlanStep[] } | null;
  /** The retry under way, until the model answers or the turn ends. */
  retrying: { attempt: number; max: number; delayMs: number; httpStatus?: number; message: string } | null;
  /** Those that this one's agent has started and not closed, oldest first. */
  agents: AgentSummary[];
  background: BackgroundCommand[];
  clock: Clock | null;
  /** Nothing wakes the agent until somebody writes. */
  held: boolean;
  /** The number of the last event folded in. */
  seq: number;
};

/** A session as it is before its first event. */
export function emptySession(
  about: Pick<SessionState, 'id' | 'workspaceId' | 'cwd' | 'createdAt'> & Partial<SessionState>,
): SessionState {
  return {
    parentId: null,
    forkedFrom: null,
    title: null,
    backend: 'native',
    model: null,
    effort: null,
    profile: null,
    status: 'idle',
    heldBy: null,
    canContinue: false,
    approvalPolicy: 'on-request',
    sandboxMode: 'workspace-write',
    networkAccess: false,
    confined: false,
    sandboxProblem: null,
    ownPermissions: {},
    givenPermissions: { sandbox: 'workspace-write', approval: 'on-request', network: false },
    grantCount: 0,
    turn: null,
    items: [],
    older: null,
    waiting: [],
    asks: [],
    usage: null,
    plan: null,
    retrying: null,
    agents: [],
    background: [],
    clock: null,
    held: false,
    seq: 0,
    ...about,
  };
}

/** Folds one event in. One that was seen already (by its number) changes nothing and returns the same object. */
export function applyEvent(state: SessionState, event: SessionEvent): SessionState {
  if (event.seq <= state.seq) return state;
  return { ...fold(state, event), seq: event.seq };
}

/** Whether `event` follows directly on what `state` has seen; if not, the client has missed some. */
export function follows(state: Pick<SessionState, 'seq'>, event: SessionEvent): boolean {
  const first = event.type === 'item.delta' && event.joined ? event.seq - event.joined + 1 : event.seq;
  return first <= state.seq + 1;
}

function fold(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'session.updated':
      return { ...state, ...(event.patch as Partial<SessionState>) };
    case 'turn.started':
      return { ...state, turn: event.turn, canContinue: false };
    case 'turn.completed':
      return { ...state, turn: null, retrying: null };
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return withItem(state, event.item as Item);
    case 'item.delta':
      return withDelta(state, event);
    case 'input.accepted':
      return { ...state, waiting: placeInput(state.waiting, event.input) };
    case 'input.changed':
      return { ...state, waiting: event.waiting };
    case 'input.taken':
      return { ...state, waiting: state.waiting.filter((w) => !event.inputIds.includes(w.id)) };
    case 'ask.opened':
      return { ...state, asks: [...state.asks.filter((a) => a.id !== event.ask.id), event.ask] };
    case 'ask.closed':
      return { ...state, asks: state.asks.filter((a) => a.id !== event.askId) };
    case 'usage.updated': {
      const { type: _type, seq: _seq, ...usage } = event;
      return { ...state, usage };
    }
    case 'model.retrying': {
      const { type: _type, seq: _seq, ...retrying } = event;
      return { ...state, retrying };
    }
    case 'background.updated': {
      const { commands: background = state.background, clock = state.clock, held = state.held } = event;
      return { ...state, background, clock, held };
    }
    case 'agents.updated':
      return { ...state, agents: event.agents };
    default:
      return state;
  }
}

/**
 * Where a new input waits. The order in which inputs are taken: steers first, then the queue, each first in
 * first out.
 */
export function placeInput(waiting: readonly Input[], input: Input): Input[] {
  const at = input.mode === 'steer' ? waiting.findLastIndex((w) => w.mode === 'steer') + 1 : waiting.length;
  return waiting.toSpliced(at, 0, input);
}

function withItem(state: SessionState, item: Item): SessionState {
  const at = indexOfItem(state.items, item.id);
  const items = at < 0 ? [...state.items, item] : state.items.with(at, item);
  const plan =
    item.type === 'plan'
      ? { ...(item.explanation === undefined ? {} : { explanation: item.explanation }), steps: item.steps }
      : state.plan;
  // the retry is over, whether the model answered with words or with a call
  const over = item.type === 'notice' && item.code === 'model.retry' && item.status !== 'inProgress';
  return trim({ ...state, items, plan, retrying: over ? null : state.retrying });
}

function withDelta(state: SessionState, event: ItemDelta): SessionState {
  const at = indexOfItem(state.items, event.itemId);
  const item = state.items[at];
  if (!item) return state;
  const grown = grow(item, event);
  if (grown === item) return state;
  // the model answers again, so a retry is over; a command's output says nothing of it
  const retrying = event.field === 'output' ? state.retrying : null;
  return { ...state, items: state.items.with(at, grown), retrying };
}

/** An item with what a delta brings. */
export function grow(item: Item, { delta, field = 'text', skipped = 0 }: ItemDelta): Item {
  if (item.type === 'commandExecution' && field === 'output') return growOutput(item, delta, skipped);
  if (item.type === 'reasoning' && field === 'summary')
    return { ...item, summary: [...item.summary.slice(0, -1), (item.summary.at(-1) ?? '') + delta] };
  if (item.type === 'reasoning' && field === 'summaryPart')
    return { ...item, summary: [...item.summary, delta] };
  if (item.type === 'reasoning' && field === 'text') return { ...item, text: (item.text ?? '') + delta };
  if (item.type === 'agentMessage' && field === 'text') return { ...item, text: item.text + delta };
  return item;
}

/** Appends to a bounded output: the head stays, the tail moves on. */
export function growOutput<T extends { output: string; outputBytes: number; truncated: boolean }>(
  item: T,
  delta: string,
  skipped = 0,
): T {
  const output = item.output + delta;
  const over = skipped > 0 || item.truncated || output.length > OUTPUT_HEAD + OUTPUT_TAIL;
  return {
    ...item,
    output: over ? output.slice(0, OUTPUT_HEAD) + output.slice(OUTPUT_HEAD).slice(-OUTPUT_TAIL) : output,
    outputBytes: item.outputBytes + skipped + utf8Length(delta),
    truncated: over,
  };
}

/** Newest first: what changes is nearly always at the end. */
function indexOfItem(items: Item[], id: string): number {
  for (let i = items.length - 1; i >= 0; i--) if (items[i]?.id === id) return i;
  return -1;
}

function trim(state: SessionState): SessionState {
  const { items } = state;
  const from = firstKept(items);
  if (from === 0) return state;
  const kept = items.filter((item, i) => i >= from || item.status === 'inProgress');
  if (kept.length === items.length) return state;
  return { ...state, items: kept, older: items[from]?.id ?? null };
}

/** Where the newest begin that are not too many, nor too heavy; the last one is kept whatever it weighs. */
function firstKept(items: readonly Item[]): number {
  let weight = 0;
  let from = items.length;
  for (const item of items.slice(-ITEMS_KEPT).reverse()) {
    weight += weightOf(item);
    if (weight > WEIGHT_KEPT && from < items.length) break;
    from -= 1;
  }
  return from;
}

function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    // a surrogate pair is four bytes from two units: two more, counted at its first half
    if (code >= 0xd800 && code < 0xdc00) bytes += 2;
    else if (code < 0x800 || (code >= 0xdc00 && code < 0xe000)) bytes += code < 0x800 ? 1 : 0;
    else bytes += 2;
  }
  return bytes;
}
