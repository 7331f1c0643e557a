/** What a session has used: counted, recorded with each request, told to viewers. */
import type { EventBody, Usage } from '@tscodex/shared/events';
import type { SessionState } from '@tscodex/shared/session-state';
import type { Prices } from '../base/config/model-overrides.ts';
import { contextLeft } from '../model/context-window.ts';
import type { RolloutWriter } from '../session/rollout.ts';
import { estimated, isEstimate, sumOf, type UsageTally } from '../session/usage-tally.ts';
import { costOf } from './cost.ts';

/** What turns tokens into what is shown. */
export type UsageRates = {
  prices: Prices;
  /** The usable one, in tokens; undefined while unknown. */
  contextWindow(model: string): number | undefined;
};

type Ports = {
  rollout: Pick<RolloutWriter, 'recordUsage'>;
  rates: UsageRates;
  /** The session's. */
  model(): string | null;
  emit(event: EventBody): void;
  fault(what: string, error: unknown): void;
};

export class UsageAccount {
  constructor(
    private readonly ports: Ports,
    private readonly tally: UsageTally,
  ) {}

  /** Of the running turn so far, else of the newest; undefined where no model has told. */
  get turn(): Usage | undefined {
    return this.tally.turn.size > 0 ? sumOf(this.tally.turn) : undefined;
  }

  /** Follows the session: turns bound what is counted, another model has another window. */
  see(event: EventBody): void {
    const changed =
      (event.type === 'turn.started' && this.tally.turnStarted(event.turn.id)) ||
      (event.type === 'turn.completed' && this.tally.turnEnded(event.status === 'completed')) ||
      (event.type === 'session.updated' && event.patch.model !== undefined && this.#modelChanged());
    if (changed) this.#tell();
  }

  /** A request of the conversation was answered. A model that tells nothing of its use tells zero tokens at times. */
  used(usage: Usage, model: string): void {
    if (usage.totalTokens <= 0) return;
    this.tally.add(usage, model);
    this.#changed(model);
  }

  /** A request beside the conversation was answered: a summary, a fork. */
  usedAside(usage: Usage, model: string): void {
    if (usage.totalTokens <= 0) return;
    this.tally.addAside(usage, model);
    this.#changed(model);
  }

  /** The conversation has become another one, of about so many tokens. */
  contextReplaced(tokens: number): void {
    this.tally.setContext(estimated(tokens));
    // a model that tells nothing of its use gets no meter from this
    if (this.tally.last) this.#changed(this.ports.model() ?? '');
  }

  #modelChanged(): boolean {
    const { context } = this.tally;
    if (context) this.tally.setContext(estimated(context.totalTokens));
    return true;
  }

  #changed(model: string): void {
    const { rollout, rates, fault } = this.ports;
    const contextWindow = rates.contextWindow(model);
    rollout
      .recordUsage(this.tally, { model, contextWindow })
      .catch((error) => fault('record what was used', error));
    this.#tell();
  }

  #tell(): void {
    const usage = shownUsage(this.tally, this.ports.model(), this.ports.rates);
    if (usage) this.ports.emit({ type: 'usage.updated', ...usage });
  }
}

/** null where no model has told what it used, or what the conversation takes. */
export function shownUsage(
  tally: UsageTally,
  model: string | null,
  rates: UsageRates,
): SessionState['usage'] {
  const { context } = tally;
  // a fork knows what its conversation takes before it has used anything
  const last = tally.last ?? context;
  if (!last) return null;
  const contextWindow = model === null ? undefined : rates.contextWindow(model);
  const tokens = context?.totalTokens;
  return {
    last,
    turn: sumOf(tally.turn),
    total: sumOf(tally.total),
    ...costOf(tally, rates.prices),
    ...(context && { contextTokens: context.totalTokens, contextEstimated: isEstimate(context) }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(contextWindow === undefined || tokens === undefined
      ? {}
      : { contextLeft: contextLeft(tokens, contextWindow) }),
  };
}
