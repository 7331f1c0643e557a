/** The events of the Responses API's stream, where servers are less tidy than its description. */
import type { Usage } from '@tscodex/shared/events';
import * as z from 'zod';

const count = z.number().nonnegative().catch(0);
const usage = z
  .object({
    input_tokens: count,
    output_tokens: count,
    total_tokens: z.number().nonnegative().optional().catch(undefined),
    input_tokens_details: z.object({ cached_tokens: count }).catch({ cached_tokens: 0 }),
    output_tokens_details: z.object({ reasoning_tokens: count }).catch({ reasoning_tokens: 0 }),
  })
  .transform(
    (told): Usage => ({
      inputTokens: told.input_tokens,
      cachedInputTokens: told.input_tokens_details.cached_tokens,
      outputTokens: told.output_tokens,
      reasoningTokens: told.output_tokens_details.reasoning_tokens,
      totalTokens: told.total_tokens ?? told.input_tokens + told.output_tokens,
    }),
  );

/** A word, as a rule; it is shown. */
const reason = z.string().transform((text) => text.slice(0, 100));

const response = z
  .object({
    output: z.array(z.unknown()).catch([]),
    usage: usage.nullable().catch(null),
    status: z.string().optional().catch(undefined),
    incomplete_details: z.object({ reason }).nullable().catch(null),
    max_output_tokens: z.number().positive().optional().catch(undefined),
    error: z.unknown().optional(),
  })
  .catch({ output: [], usage: null, incomplete_details: null, error: undefined });

const itemId = z.string().catch('');
const delta = z.string().catch('');
const index = z.number().catch(0);

/** What the events of one item have in common. */
const place = { output_index: z.number().optional().catch(undefined), item_id: itemId };

/** The events that matter. Every other type is progress of which the loop makes nothing. */
export const wireEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(['response.output_text.delta', 'response.refusal.delta']),
    item_id: itemId,
    delta,
  }),
  z.object({ type: z.literal('response.reasoning_summary_part.added') }),
  z.object({
    type: z.literal('response.reasoning_summary_text.delta'),
    item_id: itemId,
    summary_index: index,
    delta,
  }),
  z.object({ type: z.literal('response.reasoning_text.delta'), item_id: itemId, delta }),
  z.object({
    type: z.enum(['response.function_call_arguments.delta', 'response.custom_tool_call_input.delta']),
    ...place,
    delta,
  }),
  z.object({
    type: z.literal('response.function_call_arguments.done'),
    ...place,
    arguments: z.string().catch(''),
  }),
  z.object({
    type: z.literal('response.custom_tool_call_input.done'),
    ...place,
    input: z.string().catch(''),
  }),
  z.object({ type: z.literal('response.output_item.added'), ...place, item: z.unknown() }),
  z.object({ type: z.literal('response.output_item.done'), ...place, item: z.unknown() }),
  z.object({ type: z.enum(['response.completed', 'response.incomplete']), response }),
  z.looseObject({ type: z.enum(['response.failed', 'error']) }),
]);
export type WireEvent = z.infer<typeof wireEvent>;
