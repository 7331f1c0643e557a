/**
 * One compaction: a summary takes the place of the conversation before, in the file first and then in memory. A
 * failure leaves both as they were.
 */
import type { Compaction } from '@tscodex/shared/items';
import { v7 as uuid } from 'uuid';
import { Failure, problemOf } from '../../base/errors.ts';
import type { ResponseItem } from '../../base/response-items.ts';
import type { TurnContext, TurnPorts } from '../turn-context.ts';
import { compactedHistory, framed } from './compacted-history.ts';
import type { ContextLimits } from './context-limits.ts';
import { tokensOf } from './context-size.ts';
import { requestSummary, type Summary } from './summary-request.ts';

export type CompactionReason = 'manual' | 'threshold' | 'overflow';

/** What a conversation goes on with, and the item that shows it. */
export type RecordedCompaction = {
  /** The summary as the model reads it. */
  message: string;
  history: readonly ResponseItem[];
  item: Compaction;
};

export type CompactionPorts = {
  /** All that the model is to know of its surroundings, as at the start of a conversation. */
  surroundings(): Promise<readonly ResponseItem[]>;
  /** Puts it into the session's file, whole, and on disk. Rejects when that cannot be done: then nothing is there. */
  recordCompaction(compaction: RecordedCompaction): Promise<void>;
  usedAside: TurnPorts['used'];
  /** The conversation has about so many tokens from here on. */
  contextReplaced(tokens: number): void;
};

export type CompactionOrder = {
  reason: CompactionReason;
  /** Tokens of the conversation as it is, and of instructions and tools. */
  used: number;
  fixed: number;
  limits: ContextLimits;
  /** The instruction to sum up, instead of ours. */
  prompt: string | undefined;
};

type Subject = {
  context: TurnContext;
  /** What is summed up. */
  history: readonly ResponseItem[];
  /** What follows on it, as it is: the model has not answered it yet. */
  unanswered: readonly ResponseItem[];
  ports: Pick<TurnPorts, 'emit'>;
  signal: AbortSignal;
};

/** Tokens of people's messages that are kept in their words. Codex's value. */
const KEPT_TOKENS = 20_000;

/** Tokens of a summary. */
const SUMMARY_TOKENS = 10_000;

/** With less than this nothing can be done, so it is tried as if there were as much: all of this is an estimate. */
const LEAST_ROOM = 1000;

/** What a compaction leaves of the conversation at the most, beside what cannot be left out. */
export const MOST_LEFT = 0.75;

/** Returns the tokens of the new conversation. Throws why there is none; the item shows that as well. */
export async function compact(
  order: CompactionOrder,
  subject: Subject,
  ports: CompactionPorts,
): Promise<number> {
  const { context, signal } = subject;
  const { emit } = subject.ports;
  const started = startedItem(order, context);
  emit({ type: 'item.started', item: started });
  try {
    const { history, summary } = await newHistory(order, subject, ports);
    const tokens = order.fixed + tokensOf(history);
    const item: Compaction = {
      ...ended(started, 'completed'),
      ...{ itemsAfter: history.length, tokensAfter: tokens, summary: summary.text },
      ...(summary.shortened > 0 ? { shortened: summary.shortened } : {}),
    };
    signal.throwIfAborted();
    await ports.recordCompaction({ message: framed(summary.text), history, item });
    context.history.splice(0, context.history.length, ...history);
    emit({ type: 'item.completed', item });
    ports.contextReplaced(tokens);
    return tokens;
  } catch (error) {
    emit({ type: 'item.completed', item: failedItem(started, error, signal) });
    throw error;
  }
}

async function newHistory(
  { limits, fixed, prompt }: CompactionOrder,
  { context, history: before, unanswered, ports: { emit }, signal }: Subject,
  { surroundings: tell, usedAside }: CompactionPorts,
): Promise<{ history: ResponseItem[]; summary: Summary }> {
  const surroundings = await tell();
  const told = tokensOf(surroundings);
  const most = limits.compactAt ?? limits.window ?? Number.POSITIVE_INFINITY;
  // the new conversation and what follows on it share what is left
  const left = Math.max(most - fixed - told - tokensOf(unanswered), LEAST_ROOM);
  const said = Math.max(tokensOf(before) - told, 0);
  const limit = Math.floor(Math.min(SUMMARY_TOKENS, left / 3));
  const summary = await requestSummary(
    context,
    { history: before, prompt, limit, room: limits.window === undefined ? undefined : limits.window - fixed },
    { emit, usedAside },
    signal,
  );
  const budget = Math.floor(Math.min(KEPT_TOKENS, left / 4, said / 3));
  const compacted = compactedHistory({ surroundings, history: before, summary: summary.text, budget });
  if (tokensOf(compacted) - told > said * MOST_LEFT) throw notSmaller();
  return { history: [...compacted, ...unanswered], summary };
}

function notSmaller(): Failure {
  const what =
    'The summary would take nearly as much room as the conversation itself, so nothing was changed.';
  return new Failure('unavailable', 'compaction.notSmaller', what);
}

function startedItem({ reason, used }: CompactionOrder, { turnId, history }: TurnContext): Compaction {
  return {
    id: uuid(),
    type: 'compaction',
    turnId,
    status: 'inProgress',
    startedAt: new Date().toISOString(),
    reason,
    itemsBefore: history.length,
    itemsAfter: 0,
    tokensBefore: used,
  };
}

function ended(item: Compaction, status: Compaction['status']): Compaction {
  return { ...item, status, completedAt: new Date().toISOString() };
}

function failedItem(item: Compaction, error: unknown, signal: AbortSignal): Compaction {
  if (signal.aborted) return ended(item, 'interrupted');
  const { code, message } = problemOf(error);
  return { ...ended(item, 'failed'), error: message, errorCode: code };
}
