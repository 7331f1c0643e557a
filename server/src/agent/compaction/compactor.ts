/**
 * Keeps a session's conversation within its model's window: says when it is summed up, and when that does not help
 * any more. One a session, because it follows how the conversation grows; what a compaction does is in `compaction`.
 */
import type { Usage } from '@tscodex/shared/events';
import type { ResponseItem } from '../../base/response-items.ts';
import type { ModelFailure } from '../../model/client.ts';
import type { TurnContext, TurnPorts } from '../turn-context.ts';
import { hasConversation } from './compacted-history.ts';
import { type CompactionPorts, type CompactionReason, compact } from './compaction.ts';
import { type ContextLimits, contextLimits } from './context-limits.ts';
import { ContextSize, tokensOf, tokensOfFixed } from './context-size.ts';
import { inVain } from './overflow.ts';

/** Compactions in a row that leave a request as large as before; more of them would only cost. */
const MOST_IN_VAIN = 2;

/** A turn and what of its history the model has not answered yet: that is carried over as it is. */
export type Stage = {
  context: TurnContext;
  unanswered: readonly ResponseItem[];
  ports: Pick<TurnPorts, 'emit'>;
  signal: AbortSignal;
};

export class Compactor {
  readonly #size = new ContextSize();
  /** What a provider has said of the window of this model. */
  #told: { model: string; window: number } | null = null;
  /** The model that `#inVain` is about. */
  #model = '';
  /** Compactions in a row after which the next request was too large again. */
  #inVain = 0;
  /** The last compaction, until a request shows what it has brought. */
  #unproven: { tokens: number } | null = null;
  /** The turn in which one has failed: it is not tried again there. */
  #failedIn: string | null = null;

  constructor(
    private readonly ports: CompactionPorts,
    /** The instruction to sum up, instead of ours. */
    private readonly prompt: string | undefined,
  ) {}

  /**
   * Before a request: sums the conversation up when it is due. A failure is shown, and the conversation goes on as
   * it is while it fits. Throws `compaction.inVain`, and the failure where there is no room left.
   */
  async makeRoom(stage: Stage): Promise<void> {
    const { context, signal } = stage;
    const { compactAt, window } = this.#limits(context);
    const used = this.#size.used(context, context.history);
    if (compactAt === undefined || used < compactAt || this.#failedIn === context.turnId) return;
    if (!hasConversation(answeredPart(stage))) return;
    this.#checkProgress(context, used);
    try {
      await this.#compact('threshold', stage);
    } catch (error) {
      this.#failedIn = context.turnId;
      if (signal.aborted || (window !== undefined && used >= window)) throw error;
    }
  }

  /**
   * After a request that did not fit: sums the conversation up, so that it can be sent once more. Throws what says
   * why it cannot be.
   */
  async afterOverflow(overflow: ModelFailure, stage: Stage): Promise<void> {
    const { context } = stage;
    const used = this.#size.used(context, context.history);
    const { limit } = overflow.details ?? {};
    const fixed = tokensOfFixed(context);
    // what has not fitted is more than there is room for, whatever the provider says
    const sent = Math.max(used, fixed + tokensOf(context.history));
    const window = typeof limit === 'number' && limit > fixed ? Math.min(limit, sent) : sent;
    this.#told = { model: context.settings.model, window };
    if (this.#failedIn === context.turnId || !hasConversation(answeredPart(stage))) throw overflow;
    this.#checkProgress(context, used);
    try {
      await this.#compact('overflow', stage);
    } catch (error) {
      this.#failedIn = context.turnId;
      throw error;
    }
  }

  /** Because a person wants it. Throws why it could not be done; that is shown as well. */
  async compactNow(stage: Stage): Promise<void> {
    await this.#compact('manual', stage);
    this.#inVain = 0;
  }

  /** A request was answered, and its answer is the end of the history. */
  answered(usage: Usage | null, context: TurnContext): void {
    const { compactAt } = this.#limits(context);
    if (this.#unproven && compactAt !== undefined) {
      const tokens = usage?.inputTokens || this.#unproven.tokens;
      this.#inVain = tokens >= compactAt ? this.#inVain + 1 : 0;
    }
    this.#unproven = null;
    if (usage && usage.totalTokens > 0) this.#size.reported(usage.totalTokens, context.history);
  }

  async #compact(reason: CompactionReason, stage: Stage): Promise<void> {
    const { context } = stage;
    const used = this.#size.used(context, context.history);
    const order = { reason, used, limits: this.#limits(context), prompt: this.prompt };
    const tokens = await compact(order, { ...stage, history: answeredPart(stage) }, this.ports);
    this.#size.forget();
    this.#unproven = { tokens };
  }

  #checkProgress(context: TurnContext, used: number): void {
    if (this.#inVain < MOST_IN_VAIN) return;
    const limit = this.#limits(context).compactAt ?? used;
    throw inVain({ model: context.settings.model, used, fixed: tokensOfFixed(context), limit });
  }

  #limits({ facts, settings, instructions, tools }: TurnContext): ContextLimits {
    if (this.#model !== settings.model) this.#inVain = 0;
    this.#model = settings.model;
    const told = this.#told?.model === settings.model ? this.#told.window : undefined;
    const known = facts.contextWindow ?? Number.POSITIVE_INFINITY;
    const contextWindow = told === undefined ? facts.contextWindow : Math.min(told, known);
    return contextLimits({ ...facts, contextWindow }, tokensOfFixed({ instructions, tools }));
  }
}

function answeredPart({ context, unanswered }: Stage): ResponseItem[] {
  const open = new Set(unanswered);
  return context.history.filter((item) => !open.has(item));
}
