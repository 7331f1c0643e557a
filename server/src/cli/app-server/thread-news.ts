/**
 * What happens in a session, as Codex's app-server tells it (0.171.0, observed): one for the time that a thread is
 * loaded. Pure but for the clock of what is told.
 */
import type { EventBody, ItemDelta, TurnError, Usage } from '@tscodex/shared/events';
import type { Item } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import { type ItemFacts, type ThreadItem, threadItem } from './thread-item.ts';
import { begunTurn, errorOf, retryError, seconds } from './turn.ts';

export type News = { method: string; params: Record<string, unknown> };

type Status = { type: 'idle' } | { type: 'systemError' } | { type: 'active'; activeFlags: string[] };

/** What is known of an item under way. */
type Open = { type: Item['type']; turnId: string; summaryParts: number };

export class ThreadNews {
  readonly #open = new Map<string, Open>();
  /** Agents whose start was told, by item. */
  readonly #agents = new Set<string>();
  readonly #asks = new Map<string, 'waitingOnApproval' | 'waitingOnUserInput'>();
  #turn: { id: string; startedAt: string } | null = null;
  #lastMessage: ThreadItem | null = null;
  #status: Status = { type: 'idle' };
  #total: number;

  /** `total`: tokens that the session had used before. */
  constructor(
    private readonly threadId: string,
    private readonly facts: ItemFacts,
    total = 0,
  ) {
    this.#total = total;
  }

  get status(): Status {
    return this.#status;
  }

  /** The running turn. */
  get turnId(): string | null {
    return this.#turn?.id ?? null;
  }

  take(event: EventBody): News[] {
    switch (event.type) {
      case 'turn.started':
        return this.#turnStarted(event.turn);
      case 'turn.completed':
        return this.#turnCompleted(event);
      case 'item.started':
      case 'item.updated':
        return this.#started(event.item as Item);
      case 'item.completed':
        return this.#completed(event.item as Item);
      case 'item.delta':
        return this.#delta(event);
      case 'usage.updated':
        return this.#used(event);
      case 'model.retrying':
        return this.#told('error', { error: retryError(event), willRetry: true });
      case 'ask.opened':
        this.#asks.set(
          event.ask.id,
          event.ask.kind === 'question' ? 'waitingOnUserInput' : 'waitingOnApproval',
        );
        return this.#active();
      case 'ask.closed':
        this.#asks.delete(event.askId);
        return this.#active();
      default:
        return [];
    }
  }

  #turnStarted(turn: { id: string; startedAt: string }): News[] {
    this.#turn = turn;
    this.#lastMessage = null;
    const begun = begunTurn(turn.id, turn.startedAt);
    return [...this.#active(), this.#news('turn/started', { turn: begun })];
  }

  #turnCompleted(event: Extract<EventBody, { type: 'turn.completed' }>): News[] {
    const { turnId, status, error, durationMs } = event;
    const startedAt = this.#turn?.startedAt ?? new Date().toISOString();
    const items = this.#lastMessage ? [this.#lastMessage] : [];
    const turn = {
      ...begunTurn(turnId, startedAt),
      ...{ items, itemsView: items.length ? 'summary' : 'notLoaded', status },
      ...{ error: error ? errorOf(error) : null, completedAt: seconds(Date.now()), durationMs },
    };
    const ended = [
      ...this.#shown(error ? { type: 'systemError' } : { type: 'idle' }),
      ...(error ? this.#failed(error) : []),
      this.#news('turn/completed', { turn }),
    ];
    this.#turn = null;
    return ended;
  }

  #failed(error: TurnError): News[] {
    return this.#told('error', { error: errorOf(error), willRetry: false });
  }

  #started(item: Item): News[] {
    if (item.type === 'plan') return this.#plan(item);
    if (item.type === 'subAgent') return this.#agent(item);
    return this.#begun(item);
  }

  #begun(item: Item): News[] {
    const shown = this.#open.has(item.id) ? null : threadItem(item, this.facts);
    if (!shown || item.turnId === null) return [];
    this.#open.set(item.id, {
      type: item.type,
      turnId: item.turnId,
      summaryParts: item.type === 'reasoning' ? item.summary.length : 0,
    });
    const { startedAtMs } = shown;
    return [
      this.#news('item/started', {
        item: { ...shown, completedAtMs: null },
        turnId: item.turnId,
        startedAtMs,
      }),
    ];
  }

  /** What is told only once it is whole has begun as well. */
  #completed(item: Item): News[] {
    if (item.type === 'plan') return this.#plan(item);
    if (item.type === 'notice') return this.#notice(item);
    if (item.type === 'subAgent') return this.#agent(item);
    return this.#completedItem(item);
  }

  #completedItem(item: Item): News[] {
    const shown = threadItem(item, this.facts);
    if (!shown || item.turnId === null) return [];
    const begun = this.#begun({
      ...item,
      ...(item.type === 'userMessage' ? {} : { status: 'inProgress' }),
    });
    this.#open.delete(item.id);
    if (item.type === 'agentMessage' && item.phase !== 'commentary') this.#lastMessage = shown;
    const { completedAtMs } = shown;
    const params = { item: shown, turnId: item.turnId, contentTokenCount: null, completedAtMs };
    return [...begun, this.#news('item/completed', params)];
  }

  /** That it was started is told once; what it does, as news of its own thread. */
  #agent(item: Item & { type: 'subAgent' }): News[] {
    const isNew = !this.#agents.has(item.id);
    this.#agents.add(item.id);
    this.facts.calls.see(item);
    return isNew ? this.#completedItem({ ...item, status: 'completed' }) : [];
  }

  #plan(item: Item & { type: 'plan' }): News[] {
    const { turnId, explanation = null, steps: plan } = item;
    return [this.#news('turn/plan/updated', { turnId, explanation, plan })];
  }

  /** What ends a turn is told with its end, a retry by itself. */
  #notice({ level, code, text, turnId }: Item & { type: 'notice' }): News[] {
    const isTold = level === 'warning' ? code !== 'model.retry' : level === 'error' && turnId === null;
    return isTold ? [this.#news('warning', { message: text })] : [];
  }

  #delta({ itemId, delta, field }: ItemDelta): News[] {
    const open = this.#open.get(itemId);
    if (!open) return [];
    // a command may outlive its turn
    const about = { turnId: open.turnId, itemId };
    if (field === 'output') return [this.#news('item/commandExecution/outputDelta', { ...about, delta })];
    if (open.type === 'agentMessage') return [this.#news('item/agentMessage/delta', { ...about, delta })];
    if (open.type !== 'reasoning') return [];
    if (field === 'text' || field === undefined)
      return [this.#news('item/reasoning/textDelta', { ...about, delta, contentIndex: 0 })];
    const opens = field === 'summaryPart';
    if (opens) open.summaryParts += 1;
    const part = { ...about, summaryIndex: Math.max(0, open.summaryParts - 1) };
    return [
      ...(opens ? [this.#news('item/reasoning/summaryPartAdded', part)] : []),
      this.#news('item/reasoning/summaryTextDelta', { ...part, delta }),
    ];
  }

  /** It is told again where nothing was used. */
  #used({ last, total, contextWindow }: Extract<EventBody, { type: 'usage.updated' }>): News[] {
    if (total.totalTokens === this.#total) return [];
    this.#total = total.totalTokens;
    const modelContextWindow = contextWindow ?? null;
    const tokenUsage = { total: tokensOf(total), last: tokensOf(last), modelContextWindow };
    return this.#told('thread/tokenUsage/updated', { tokenUsage });
  }

  #active(): News[] {
    if (!this.#turn) return [];
    return this.#shown({ type: 'active', activeFlags: [...new Set(this.#asks.values())] });
  }

  #shown(status: Status): News[] {
    if (JSON.stringify(status) === JSON.stringify(this.#status)) return [];
    this.#status = status;
    return [this.#news('thread/status/changed', { status })];
  }

  /** Of the running turn; nothing is told of anything outside of one. */
  #told(method: string, params: Record<string, unknown>): News[] {
    return this.#turn ? [this.#news(method, { ...params, turnId: this.#turn.id })] : [];
  }

  #news(method: string, params: Record<string, unknown>): News {
    return { method, params: { ...params, threadId: this.threadId } };
  }
}

/** What a thread had used before it was loaded, of its newest turn; nothing where that is not known. */
export function usedBefore({ id: threadId, items, usage }: SessionState): News[] {
  const turnId = items.findLast((item) => item.turnId !== null)?.turnId;
  if (!usage || turnId === undefined) return [];
  const { total, last, contextWindow } = usage;
  const tokenUsage = {
    total: tokensOf(total),
    last: tokensOf(last),
    modelContextWindow: contextWindow ?? null,
  };
  return [{ method: 'thread/tokenUsage/updated', params: { threadId, turnId, tokenUsage } }];
}

function tokensOf(usage: Usage) {
  return {
    ...{ totalTokens: usage.totalTokens, inputTokens: usage.inputTokens },
    ...{ cachedInputTokens: usage.cachedInputTokens, cacheWriteInputTokens: 0 },
    ...{ outputTokens: usage.outputTokens, reasoningOutputTokens: usage.reasoningTokens },
  };
}
