/** What a session's requests cost by the configured prices. */
import type { Cost, Usage } from '@tscodex/shared/events';
import type { ModelPrice, Prices } from '../base/config/model-overrides.ts';
import { byModelName } from '../model/catalog.ts';
import type { UsageByModel } from '../session/usage-tally.ts';

/** `cost`, or which models have no price so that there is none; neither where nothing has a price. */
export function costOf(
  { turn, total }: { turn: UsageByModel; total: UsageByModel },
  { currency, models }: Prices,
): { cost?: Cost; unpriced?: string[] } {
  const prices = new Map(Object.entries(models));
  if (prices.size === 0) return {};
  const unpriced = [...total.keys()].filter((model) => byModelName(model, prices) === undefined);
  if (unpriced.length > 0) return { unpriced };
  const sum = (used: UsageByModel) =>
    [...used].reduce((all, [model, usage]) => all + priceOf(usage, byModelName(model, prices)), 0);
  return { cost: { currency, turn: sum(turn), total: sum(total) } };
}

/** What was read from the provider's cache has a price of its own. Reasoning is part of the output. */
function priceOf({ inputTokens, cachedInputTokens, outputTokens }: Usage, price?: ModelPrice): number {
  if (!price) return 0;
  const cached = Math.min(cachedInputTokens, inputTokens);
  const { input, cachedInput, output } = price;
  return ((inputTokens - cached) * input + cached * cachedInput + outputTokens * output) / 1_000_000;
}
