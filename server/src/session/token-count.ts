/**
 * Codex's record of what a session has used: the `token_count` event, one a request. `total_token_usage` is of the
 * whole session; the total of `last_token_usage` is what the conversation takes, and its other numbers are zero where
 * that is an estimate. Codex shows and compacts by it when it resumes the session.
 */
import type { Usage } from '@tscodex/shared/events';
import * as z from 'zod';
import { eventRecord, type RolloutRecord } from './rollout-records.ts';
import { isEstimate, minus, NO_USAGE, sumOf, type UsageTally } from './usage-tally.ts';

const count = z.number().nonnegative();
const tokenUsage = z.object({
  input_tokens: count,
  cached_input_tokens: count.default(0),
  output_tokens: count,
  reasoning_output_tokens: count.default(0),
  total_tokens: count,
});
const tokenCount = z.object({
  type: z.literal('token_count'),
  info: z.object({ total_token_usage: tokenUsage, last_token_usage: tokenUsage }),
});

/** `model`: what the newest request went to; `contextWindow`: the usable one, where it is known. */
export function tokenCountRecord(
  tally: UsageTally,
  { model, contextWindow }: { model: string; contextWindow: number | undefined },
): RolloutRecord {
  const context = tally.context ?? NO_USAGE;
  const info = {
    total_token_usage: toRecord(sumOf(tally.total)),
    last_token_usage: toRecord(context),
    last_usage_includes_reasoning: isEstimate(context),
    model_context_window: contextWindow ?? null,
  };
  return { ...eventRecord('token_count', { info, rate_limits: null }), tscodex: { model } };
}

/** What a record says; null for one of another kind. `context`: what the conversation takes, as of the newest request. */
export function usageIn(payload: Record<string, unknown>): { total: Usage; context: Usage } | null {
  const info = payload.type === 'token_count' ? tokenCount.safeParse(payload).data?.info : undefined;
  return info
    ? { total: fromRecord(info.total_token_usage), context: fromRecord(info.last_token_usage) }
    : null;
}

/** Takes a record into the tally; one of another kind changes nothing. `model`: what was in use. */
export function takeTokenCount(tally: UsageTally, payload: Record<string, unknown>, model: string): void {
  const found = usageIn(payload);
  if (!found) return;
  const { total, context } = found;
  const before = sumOf(tally.total);
  // smaller than before: another program has counted anew
  const used = total.totalTokens < before.totalTokens ? context : minus(total, before);
  if (used.totalTokens > 0) {
    const untold = before.totalTokens === 0 ? minus(used, context) : NO_USAGE;
    if (untold.totalTokens > 0) tally.addUntold(untold);
    tally.addAside(minus(used, untold), model);
  }
  tally.setContext(context.totalTokens > 0 ? context : null);
}

/** The same count as a session has it that begins here: what the conversation takes, and nothing used. */
export function contextAlone(record: RolloutRecord): RolloutRecord | null {
  const info = tokenCount.safeParse(record.payload).data?.info;
  if (!info) return null;
  const total_token_usage = toRecord(NO_USAGE);
  return { ...record, payload: { ...record.payload, info: { ...info, total_token_usage } } };
}

function toRecord(usage: Usage): z.infer<typeof tokenUsage> & { cache_write_input_tokens: number } {
  return {
    input_tokens: usage.inputTokens,
    cached_input_tokens: usage.cachedInputTokens,
    cache_write_input_tokens: 0,
    output_tokens: usage.outputTokens,
    reasoning_output_tokens: usage.reasoningTokens,
    total_tokens: usage.totalTokens,
  };
}

function fromRecord(usage: z.infer<typeof tokenUsage>): Usage {
  return {
    inputTokens: usage.input_tokens,
    cachedInputTokens: usage.cached_input_tokens,
    outputTokens: usage.output_tokens,
    reasoningTokens: usage.reasoning_output_tokens,
    totalTokens: usage.total_tokens,
  };
}
