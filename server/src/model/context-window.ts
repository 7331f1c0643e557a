/** How much of a model's context window a conversation may use, and how much of it is left. */
import type { ModelFacts } from './catalog.ts';

/** What instructions and tools take before a conversation begins. Codex's value. */
const BASELINE_TOKENS = 12_000;

/** Tokens that a conversation may use: the effective share of the model's window. */
export function usableWindow({ contextWindow, effectivePercent }: ModelFacts): number | undefined {
  return contextWindow === undefined ? undefined : Math.floor((contextWindow * effectivePercent) / 100);
}

/**
 * Percent of the window that is left, 0 to 100. `window` is the usable one, `total` the last request's tokens. In a
 * window that the baseline would fill by half, all of it counts: the meter would say 0 from the start.
 */
export function contextLeft(total: number, window: number): number {
  const baseline = window > 2 * BASELINE_TOKENS ? BASELINE_TOKENS : 0;
  const room = window - baseline;
  if (room <= 0) return 0;
  const used = Math.max(total - baseline, 0);
  return roundHalfEven(Math.min(Math.max(((room - used) / room) * 100, 0), 100));
}

/** As Codex shows it, so that both meters agree. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
