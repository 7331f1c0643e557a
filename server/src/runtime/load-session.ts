/** Reads what is on disk of a session and decides how it goes on after a restart. */

import interruptedByRestart from '@tscodex/prompts/interrupted-by-restart.md';
import type { Ask } from '@tscodex/shared/asks';
import type { Input } from '@tscodex/shared/inputs';
import type { Item } from '@tscodex/shared/items';
import { isCodex } from '@tscodex/shared/lacks';
import { emptySession, placeInput, type SessionState } from '@tscodex/shared/session-state';
import type { SessionSummary } from '@tscodex/shared/workspace';
import { v5 as uuidFrom } from 'uuid';
import { standsIn } from '../backends/codex-exec/rollout-tail.ts';
import { outputFor, type ResponseItem, unansweredCalls, userText } from '../base/response-items.ts';
import { ItemIndex } from '../session/item-index.ts';
import type { RolloutWriter } from '../session/rollout.ts';
import { type Rollout, readRollout } from '../session/rollout-reader.ts';
import { minus, UsageTally } from '../session/usage-tally.ts';
import { askBrief } from './asks/ask-brief.ts';
import { endsOf, NO_WAKES } from './background/saved-wakes.ts';
import type { KeptWakes } from './background/wakes.ts';
import { notice } from './notice.ts';
import { CRASH_LIMIT, cutCallItem, neverRan, planRestart, type RestartPlan, settled } from './restart.ts';
import type { SessionRow } from './session-rows.ts';
import type { SessionStore } from './session-store.ts';
import { ONE_SHOT } from './sub-agents/family.ts';
import type { OpenTurn } from './turns.ts';

export type LoadedSession = {
  /** All but what the settings say. */
  state: SessionState;
  history: ResponseItem[];
  /** Where its items stand on disk. */
  index: ItemIndex;
  usage: UsageTally;
  /** Ids of all inputs accepted in the session's life. */
  knownInputs: Set<string>;
  /** Commands that were accepted and not run. */
  commands: Input[];
  /** A turn to go on with. */
  openTurn: OpenTurn | null;
  paused: boolean;
  lastTurn: SessionSummary['lastTurn'];
  wakes: KeptWakes;
};

/**
 * Ends a turn that was cut; one that can go on is returned as `openTurn`. `closed`: the session is one of an agent
 * that is closed, in which nothing goes on. Throws what the disk refuses.
 */
export async function loadSession(
  row: SessionRow,
  store: SessionStore,
  rollout: RolloutWriter,
  closed: boolean,
): Promise<LoadedSession> {
  const file = await readRollout(row.rolloutPath);
  if (file) rollout.goOnIn(file);
  const byCodex = isCodex(row.backend);
  const isOneShot = row.backend === ONE_SHOT;
  // nobody can go on with a turn of Codex's
  const planned = byCodex || isOneShot || closed ? 'cut' : null;
  // of one that has ended here Codex may not have recorded the end
  const over = byCodex && row.turnId === null;
  const plan = file?.openTurn && !over ? (planned ?? (await planFor(file, file.openTurn, row, store))) : null;
  const history = file?.history ?? [];
  // only a turn that goes on may begin with unanswered calls: any other would run them
  if (!plan) history.push(...unansweredCalls(history).map((call) => outputFor(call, 'this output was lost')));
  let items = (file?.items ?? []).map((item) => settled(item, new Date().toISOString()));
  // Codex does not record what was asked
  if (byCodex) items = asked(items, store);
  const lost = byCodex ? openAsks(store) : [];
  if (file?.openTurn && plan === 'cut' && byCodex) items = [...items, cutNotice(file.openTurn.id, lost)];
  else if (file?.openTurn && plan === 'cut')
    items = [...items, ...(await cutTurn(file.openTurn, { row, store, rollout, history, items }))];
  if (!plan || plan === 'cut') await withdrawAsks(store);
  // Codex has ended a turn by itself when this server went down
  const left = byCodex && !file?.openTurn && row.turnId !== null && row.requestSent ? row.turnId : null;
  if (left !== null) items = [...items, cutNotice(left, lost)];
  // a turn that the row speaks of and the file does not went down before it could take anything, and may do so again
  const tookNothing = row.turnId !== null && !file?.openTurn;
  const wentDown = plan === 'cut' || plan === 'again' || tookNothing;
  const crashes = wentDown ? row.crashes + 1 : Math.max(row.crashes, 0);
  const cut = plan === 'cut' ? file?.openTurn?.id : left;
  const lastTurn = cut
    ? { id: cut, status: 'interrupted' as const, at: new Date().toISOString() }
    : row.lastTurn;
  if (cut) await store.endTurn({ crashes, canContinue: !isOneShot, lastTurn });
  // counted once: the next load would find it again
  else await store.update({ crashes, ...(tookNothing ? { turnId: null } : {}) });
  const crashed = crashes >= CRASH_LIMIT;
  if (crashed) items = [...items, pausedNotice(row)];
  else if (row.paused) items = [...items, reopenedNotice(row)];
  if (file?.damaged.length) items = [...items, damageNotice(row, file.damaged)];
  if (file?.missing) items = [...items, missingNotice(row, file.missing)];
  const saved = row.wakes ?? NO_WAKES;
  await keepGiven(row, store);
  const { waiting, commands, known } = await inputs(store, file?.inputIds ?? new Set());
  const canContinue = !isOneShot && (plan === 'cut' || left !== null || (!plan && row.canContinue));
  return {
    state: {
      ...emptySession(pick(row)),
      items,
      older: file?.older ?? null,
      forkedFrom: file?.meta.forkedFrom ?? null,
      waiting,
      asks: plan === 'suspended' ? openAsks(store) : [],
      plan: planOf(items),
      ...{ clock: row.clock, held: saved.held },
      canContinue,
    },
    history,
    index: file?.index ?? ItemIndex.ofNone(row.rolloutPath),
    usage: usageOf(row, file),
    knownInputs: known,
    commands,
    openTurn: file?.openTurn && (plan === 'suspended' || plan === 'again') ? file.openTurn : null,
    paused: crashed || row.paused,
    lastTurn,
    // a turn that was cut is a person's to continue
    wakes: { saved, ends: endsOf(saved, items), quiet: canContinue },
  };
}

async function planFor(
  { history }: Rollout,
  { id }: NonNullable<Rollout['openTurn']>,
  row: SessionRow,
  store: SessionStore,
): Promise<RestartPlan> {
  const asked = store.asks(id).filter(({ ask, state }) => ask.turnId === id && state !== 'withdrawn');
  return planRestart({
    id,
    pending: unansweredCalls(history),
    started: store.startedCalls(id),
    asked: new Set(asked.map(({ callId }) => callId)),
    // a turn that this row does not speak of had ended, or is another program's
    requestSent: row.turnId !== id || row.requestSent,
  });
}

type Cut = {
  row: SessionRow;
  store: SessionStore;
  rollout: RolloutWriter;
  history: ResponseItem[];
  items: readonly Item[];
};

/** Ends a turn that was cut, in the file and in the history. Returns the items that tell of it. */
async function cutTurn(
  { id, startedAt }: NonNullable<Rollout['openTurn']>,
  { row, store, rollout, history, items: kept }: Cut,
): Promise<Item[]> {
  const at = new Date().toISOString();
  const drafts = store.drafts().filter((draft) => !kept.some((item) => item.id === draft.id));
  const calls = unansweredCalls(history);
  const closing = [
    ...calls.map((call) => outputFor(call, 'interrupted: the server was restarted')),
    userText(interruptedByRestart.trim()),
  ];
  const called = calls.map((call) => cutCallItem(call, id, row.cwd, startedAt));
  const items = [...drafts.map((draft) => settled(draft, at)), ...asked(called, store), cutNotice(id)];
  await rollout.recordItems(closing);
  for (const item of items) await rollout.recordItem(item);
  await rollout.turnEnded(id, { status: 'interrupted' });
  history.push(...closing);
  return items;
}

/** Commands that were cut while they asked are known as such. */
function asked(items: readonly Item[], store: SessionStore): Item[] {
  const unanswered = store.unanswered();
  return items.map((item) => (unanswered.has(item.id) ? neverRan(item) : item));
}

/** `asks`: what the turn was waiting for, and nobody can answer any more. */
function cutNotice(turnId: string, asks: readonly Ask[] = []): Item {
  const text = 'The server was restarted while the agent was working.';
  if (asks.length === 0) return notice('warning', 'turn.interrupted', text, { turnId });
  const asked = asks.map((ask) => askBrief(ask).text).join('\n');
  const gone = `${text} It had asked, and nobody can answer that any more: ${asked}`;
  return notice('warning', 'turn.interrupted', gone, { turnId, details: { asked } });
}

async function withdrawAsks(store: SessionStore): Promise<void> {
  const end = { state: 'withdrawn', answer: null, by: null, at: new Date().toISOString() } as const;
  for (const { ask } of store.asks(null)) await store.closeAsk(ask.id, end);
}

function openAsks(store: SessionStore) {
  return store.asks(null).map(({ ask }) => ask);
}

/** What was given to a Codex that keeps no ids of messages, and that it has recorded before this server went down. */
async function keepGiven({ rolloutPath }: SessionRow, store: SessionStore): Promise<void> {
  const given = store.given();
  const taken = await Promise.all(
    given.map(async ({ id, text, bytes }) => ((await standsIn(rolloutPath, text, bytes)) ? [id] : [])),
  );
  if (taken.flat().length > 0) await store.keepTaken(taken.flat());
}

/** What waits, and all ids ever accepted. A row whose id is in the file was handed over before the crash. */
async function inputs(store: SessionStore, inFile: Set<string>) {
  const rows = store.inputs();
  const handedOver = rows.filter(({ input }) => inFile.has(input.id)).map(({ input }) => input.id);
  if (handedOver.length) await store.deleteInputs(handedOver);
  const left = rows.filter(({ input, state }) => state === 'waiting' && !inFile.has(input.id));
  const waiting = left
    .filter(({ input }) => input.mode !== 'command')
    .reduce<Input[]>((placed, { input }) => placeInput(placed, input), []);
  return {
    waiting,
    commands: left.map(({ input }) => input).filter((input) => input.mode === 'command'),
    known: new Set([...inFile, ...rows.map(({ input }) => input.id)]),
  };
}

/** The file tells; of sessions from before it did, their row. */
function usageOf({ usage }: SessionRow, file: Rollout | null): UsageTally {
  const tally = file?.usage ?? new UsageTally();
  if (tally.last || !usage) return tally;
  tally.addUntold(minus(usage.total, usage.last));
  tally.add(usage.last, '');
  return tally;
}

function pick(row: SessionRow) {
  const { id, workspaceId, parentId, title, cwd, backend, model, effort, profile, createdAt } = row;
  return { id, workspaceId, parentId, title, cwd, backend, model, effort, profile, createdAt };
}

function planOf(items: readonly Item[]): SessionState['plan'] {
  const last = items.findLast((item) => item.type === 'plan');
  return last?.type === 'plan' ? { explanation: last.explanation, steps: last.steps } : null;
}

/** Not recorded: it says how the session stands, each time it is loaded so. */
function pausedNotice(row: SessionRow): Item {
  const text = 'The server went down twice while this session worked, so it waits for you to resume it.';
  return { ...notice('warning', 'session.crashed', text), id: uuidFrom('paused', row.id) };
}

/** Not recorded, as the one above. */
function reopenedNotice(row: SessionRow): Item {
  const text =
    'This session was stopped or closed with messages still waiting. They are sent when you resume it.';
  return { ...notice('warning', 'session.reopened', text), id: uuidFrom('reopened', row.id) };
}

/** Not recorded: it says what reading the file has found, each time it is read. */
function damageNotice(row: SessionRow, damaged: readonly number[]): Item {
  const lines = damaged.slice(0, 20).join(', ');
  const text = `These lines of ${row.rolloutPath} could not be read and are left out: ${lines}.`;
  const about = notice('warning', 'rollout.damaged', text, { details: { path: row.rolloutPath, lines } });
  return { ...about, id: uuidFrom('damaged', row.id) };
}

/** Not recorded, as the one above. */
function missingNotice(row: SessionRow, thread: string): Item {
  const text = `This session goes on from session ${thread}, whose file is not in $CODEX_HOME, or leads back here: what was said there is missing.`;
  const about = notice('warning', 'rollout.missing', text, { details: { thread } });
  return { ...about, id: uuidFrom('missing', row.id) };
}
