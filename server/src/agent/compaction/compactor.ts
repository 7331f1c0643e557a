/**
 * Keeps a session's conversation within its model's window: says when it is summed up, and when that does not help
 * any more. One a session, because it follows how the conversation grows; what a compaction does is in `compaction`.
 */
import type { Usage } from '@tscodex/shared/events';
import type { Failure } from '../../base/errors.ts';
import { isOfModel, type ResponseItem } from '../../base/response-items.ts';
import type { ModelFailure } from '../../model/client.ts';
import type { TurnContext, TurnPorts } from '../turn-context.ts';
import { hasConversation } from './compacted-history.ts';
import { type CompactionPorts, type CompactionReason, compact, MOST_LEFT } from './compaction.ts';
import { type ContextLimits, contextLimits } from './context-limits.ts';
import { ContextSize, tokensOf, tokensOfFixed } from './context-size.ts';
import { inVain, stillTooLong } from './overflow.ts';
import { unansweredPart } from './unanswered.ts';

/** Compactions in a row that leave a request as large as before; more of them would only cost. */
const MOST_IN_VAIN = 2;

export type Stage = {
  context: TurnContext;
  ports: Pick<TurnPorts, 'emit'>;
  signal: AbortSignal;
};

/** In tokens: what the conversation takes, instructions and tools of it, and what it may take. */
type Measured = ContextLimits & { used: number; fixed: number };

/** What is summed up, and what follows on it as it is. */
type Parts = { history: ResponseItem[]; unanswered: ResponseItem[] };

export class Compactor {
  readonly #size = new ContextSize();
  /** The model that all below is about. */
  #model = '';
  /** The window that its provider has named, in tokens. */
  #told: number | undefined;
  /** Compactions in a row after which the next request was too large again, and what the last of them has left. */
  #inVain = 0;
  #left = 0;
  /** The last compaction, until a request shows what it has brought. */
  #unproven: { tokens: number; unanswered: number } | null = null;
  /** The turn in which one has failed: it is not tried again there. */
  #failedIn: string | null = null;
  /** The turn that was measured last, whose instructions and tools stay the same. */
  #turn: { context: TurnContext; fixed: number } | null = null;

  constructor(
    private readonly ports: CompactionPorts,
    /** The instruction to sum up, instead of ours. */
    private readonly prompt: string | undefined,
  ) {}

  /** A conversation that was loaded takes so many tokens, up to its last answer. */
  resume(tokens: number, history: readonly ResponseItem[]): void {
    this.#size.reported(tokens, history.findLastIndex(isOfModel) + 1);
  }

  /**
   * Before a request: sums the conversation up when it is due. A failure is shown, and the conversation goes on as
   * it is while it fits. Throws `compaction.inVain`, and the failure where there is no room left.
   */
  async makeRoom(stage: Stage): Promise<void> {
    const { context, signal } = stage;
    const measured = this.#measure(context);
    const { used, fixed, compactAt, window } = measured;
    if (compactAt === undefined || used < compactAt || this.#failedIn === context.turnId) return;
    const parts = partsOf(context, measured);
    if (!hasConversation(parts.history)) return;
    const fits = window === undefined || used < window;
    if (this.#isVain(used)) {
      if (fits) return;
      throw inVain({ model: context.settings.model, used, fixed, limit: compactAt });
    }
    try {
      await this.#compact('threshold', stage, measured, parts);
    } catch (error) {
      this.#failedIn = context.turnId;
      if (signal.aborted || !fits) throw error;
    }
  }

  /**
   * After a request that did not fit: sums the conversation up, so that it can be sent once more. Throws what says
   * why it cannot be.
   */
  async afterOverflow(overflow: ModelFailure, stage: Stage): Promise<void> {
    const { context } = stage;
    const { limit } = overflow.details ?? {};
    if (typeof limit === 'number' && limit > this.#measure(context).fixed) this.#told = limit;
    const measured = this.#measure(context);
    const wasVain = this.#unproven !== null;
    this.#sawOverflow();
    if (this.#isVain(measured.used)) throw stillTooLong(overflow);
    const cramped = this.#cramped(measured, context);
    const parts = partsOf(context, cramped);
    if (this.#failedIn === context.turnId || !hasConversation(parts.history))
      throw wasVain ? stillTooLong(overflow) : overflow;
    try {
      await this.#compact('overflow', stage, cramped, parts);
    } catch (error) {
      this.#failedIn = context.turnId;
      throw error;
    }
  }

  /** The request after that did not fit either. Returns what says so. */
  overflowedAgain(overflow: ModelFailure): Failure {
    this.#sawOverflow();
    return stillTooLong(overflow);
  }

  /** Because a person wants it. Throws why it could not be done; that is shown as well. */
  async compactNow(stage: Stage): Promise<void> {
    const measured = this.#measure(stage.context);
    const parts = partsOf(stage.context, measured);
    // a message that alone was too long is summed up as well
    const whole = { history: stage.context.history, unanswered: [] };
    await this.#compact('manual', stage, measured, hasConversation(parts.history) ? parts : whole);
    this.#inVain = 0;
  }

  /** A request was answered, and its answer is the end of the history. */
  answered(usage: Usage | null, context: TurnContext): void {
    const { used, compactAt } = this.#measure(context);
    const before = this.#unproven;
    this.#unproven = null;
    const sent = usage?.inputTokens || (before?.tokens ?? used);
    if (this.#told !== undefined && sent > this.#told) this.#told = undefined;
    this.#left = before ? sent - before.unanswered : this.#left;
    if (compactAt === undefined || sent < compactAt || (before && this.#left < compactAt)) this.#inVain = 0;
    else if (before) this.#inVain += 1;
    if (usage && usage.totalTokens > 0) this.#size.reported(usage.totalTokens, context.history.length);
  }

  async #compact(reason: CompactionReason, stage: Stage, measured: Measured, parts: Parts): Promise<void> {
    const { used, fixed, ...limits } = measured;
    const order = { reason, used, fixed, limits, prompt: this.prompt };
    const tokens = await compact(order, { ...stage, ...parts }, this.ports);
    this.#size.forget();
    this.#unproven = { tokens, unanswered: tokensOf(parts.unanswered) };
  }

  #sawOverflow(): void {
    if (this.#unproven) {
      this.#inVain += 1;
      // nobody knows how much less would do
      this.#left = Number.POSITIVE_INFINITY;
    }
    this.#unproven = null;
  }

  /** Unless the conversation has grown so much since that there is something to gain again. */
  #isVain(used: number): boolean {
    return this.#inVain >= MOST_IN_VAIN && used * MOST_LEFT <= this.#left;
  }

  #measure(context: TurnContext): Measured {
    const { facts, settings, history } = context;
    if (this.#model !== settings.model)
      [this.#model, this.#told, this.#inVain] = [settings.model, undefined, 0];
    if (this.#turn?.context !== context) this.#turn = { context, fixed: tokensOfFixed(context) };
    const { fixed } = this.#turn;
    const contextWindow =
      this.#told === undefined
        ? facts.contextWindow
        : Math.min(this.#told, facts.contextWindow ?? this.#told);
    const limits = contextLimits({ ...facts, contextWindow }, fixed);
    return { ...limits, fixed, used: this.#size.used(fixed, history) };
  }

  /** What has not fitted has to become smaller, whatever is known of the window. For one compaction: it is a guess. */
  #cramped({ used, fixed, ...limits }: Measured, { history }: TurnContext): Measured {
    const sent = Math.max(used - fixed, tokensOf(history));
    const window = Math.min(limits.window ?? Number.POSITIVE_INFINITY, fixed + Math.floor(sent * MOST_LEFT));
    return { used, fixed, window, compactAt: Math.min(limits.compactAt ?? window, window) };
  }
}

/** The larger part of the room at the most is unanswered: the rest is for what is told anew, and for the summary. */
function partsOf({ history }: TurnContext, { window = Number.POSITIVE_INFINITY, fixed }: Measured): Parts {
  const unanswered = unansweredPart(history, (window - fixed) * MOST_LEFT);
  const open = new Set(unanswered);
  return { history: history.filter((item) => !open.has(item)), unanswered };
}
