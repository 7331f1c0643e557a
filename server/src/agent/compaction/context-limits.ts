/** When a conversation has become so long that it is summed up. Pure. */
import type { ModelFacts } from '../../model/catalog.ts';
import { usableWindow } from '../../model/context-window.ts';

/** In tokens; undefined where nothing is known of the model. */
export type ContextLimits = {
  /** What a request may hold, with its answer. */
  window?: number | undefined;
  /** A request that would be as large waits until the conversation is summed up. */
  compactAt?: number | undefined;
};

/** Of the usable window. Codex's share is of the whole one, which leaves it half as much. */
const SHARE = 0.9;

/** What the request for a summary and the summary need beside the conversation. */
const SUMMARY_ROOM = 8000;

/**
 * Where people or the catalogue say when, then; never beyond the window. Else at nine tenths of it, and earlier
 * where that would leave no room for a summary: of what `fixed` (instructions and tools) leaves of the window a
 * third at the most is kept for that, so that a window of 8,000 tokens can be worked in.
 */
export function contextLimits(facts: ModelFacts, fixed: number): ContextLimits {
  const window = usableWindow(facts);
  const said = facts.autoCompactTokenLimit;
  if (window === undefined) return said === undefined ? {} : { compactAt: said };
  if (said !== undefined) return { window, compactAt: Math.min(said, window) };
  const room = Math.max(window - fixed, 0);
  const kept = Math.max(window * (1 - SHARE), Math.min(SUMMARY_ROOM, room / 3));
  return { window, compactAt: Math.floor(window - kept) };
}
