/** The Responses API's event stream, as the loop's model events. */
import type { Usage } from '@tscodex/shared/events';
import * as z from 'zod';
import { isToolCall, type ResponseItem, textOf } from '../base/response-items.ts';
import type { ModelEvent } from './client.ts';
import { type Asked, answeredFailure, formFailure, transportFailure } from './failures.ts';
import { findProviderError } from './provider-error.ts';
import type { SseMessage } from './sse.ts';
import { itemFromWire } from './wire-items.ts';

const count = z.number().catch(0);
const wireUsage = z.object({
  input_tokens: count,
  output_tokens: count,
  total_tokens: z.number().optional().catch(undefined),
  input_tokens_details: z.object({ cached_tokens: count }).catch({ cached_tokens: 0 }),
  output_tokens_details: z.object({ reasoning_tokens: count }).catch({ reasoning_tokens: 0 }),
});

const response = z
  .object({
    output: z.array(z.unknown()).catch([]),
    usage: wireUsage.nullable().catch(null),
    incomplete_details: z.object({ reason: z.string() }).nullable().catch(null),
  })
  .catch({ output: [], usage: null, incomplete_details: null });

const itemId = z.string().catch('');
const delta = z.string().catch('');
const index = z.number().catch(0);

/** The events that matter. Every other type is progress of which the loop makes nothing. */
const wireEvent = z.discriminatedUnion('type', [
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
  z.object({ type: z.literal('response.output_item.done'), item: z.unknown() }),
  z.object({ type: z.enum(['response.completed', 'response.incomplete']), response }),
  z.looseObject({ type: z.enum(['response.failed', 'error']) }),
]);
type WireEvent = z.infer<typeof wireEvent>;

/**
 * Ends after `completed`. Throws `ModelFailure` for what the provider reports as failed, for a stream that ends
 * without saying so (`stream-cut`) and for events of another API (`not-an-api`).
 */
export async function* readResponse(
  messages: AsyncIterable<SseMessage>,
  asked: Asked,
): AsyncGenerator<ModelEvent> {
  const answer = new Answer(asked);
  let foreign: unknown;
  let ours = false;
  for await (const { event, data } of messages) {
    const type = typeOf(event, data);
    if (type.startsWith('response.') || type === 'error') ours = true;
    else foreign ??= data;
    const known = wireEvent.safeParse({ ...(data as object), type });
    if (known.success) yield* answer.take(known.data);
    if (answer.ended) return;
  }
  if (foreign !== undefined && !ours) throw formFailure(asked, JSON.stringify(foreign));
  throw transportFailure(asked, 'stream-cut', 'the stream ended without response.completed');
}

/** The type is in the data; some servers put it into the SSE event field alone, and errors have none at all. */
function typeOf(event: string | undefined, data: unknown): string {
  if (typeof data !== 'object' || data === null) return '';
  if ('type' in data && typeof data.type === 'string') return data.type;
  if ('error' in data) return 'error';
  return event ?? '';
}

/** What has come of one response so far. */
class Answer {
  ended = false;
  /** Text that was streamed and belongs to no whole message yet. */
  private streamed = { id: '', text: '' };
  private summaryPart: string | undefined;
  /** Marks of the items that are out. */
  private readonly done = new Set<string>();

  constructor(private readonly asked: Asked) {}

  *take(event: WireEvent): Generator<ModelEvent> {
    switch (event.type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.streamed = { id: event.item_id, text: this.streamed.text + event.delta };
        yield { type: 'text', itemId: event.item_id, delta: event.delta };
        return;
      case 'response.reasoning_summary_part.added':
        this.summaryPart = undefined;
        return;
      case 'response.reasoning_summary_text.delta':
        yield this.summary(event.item_id, event.summary_index, event.delta);
        return;
      case 'response.reasoning_text.delta':
        yield { type: 'reasoning', itemId: event.item_id, part: 'text', delta: event.delta };
        return;
      case 'response.output_item.done':
        yield* this.item(itemFromWire(event.item));
        return;
      case 'response.completed':
      case 'response.incomplete':
        yield* this.complete(event);
        return;
      case 'response.failed':
      case 'error':
        throw failed(this.asked, event);
    }
  }

  private summary(item: string, part: number, delta: string): ModelEvent {
    const key = `${item} ${part}`;
    const newPart = this.summaryPart !== key;
    this.summaryPart = key;
    return { type: 'reasoning', itemId: item, part: 'summary', delta, ...(newPart && { newPart }) };
  }

  private *item(item: ResponseItem | null): Generator<ModelEvent> {
    if (!item) return;
    this.done.add(mark(item));
    if (item.type === 'message') this.streamed = { id: '', text: '' };
    yield { type: 'item', item };
  }

  /** What came by no `output_item.done` is taken from the final output, else from the deltas. */
  private *complete(event: Extract<WireEvent, { type: 'response.completed' | 'response.incomplete' }>) {
    const { output, usage, incomplete_details } = event.response;
    for (const raw of output) {
      const item = itemFromWire(raw);
      if (item && !this.done.has(mark(item))) yield* this.item(item);
    }
    const { id, text } = this.streamed;
    if (text)
      yield* this.item({
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text }],
        ...(id && { id }),
      });
    this.ended = true;
    const incomplete =
      event.type === 'response.incomplete' ? { incomplete: incomplete_details?.reason ?? 'unknown' } : {};
    yield { type: 'completed' as const, usage: usage && toUsage(usage), ...incomplete };
  }
}

/** Tells an item of the final output from one seen before, also where a server gives it another id there. */
function mark(item: ResponseItem): string {
  if (item.type === 'message') return `message ${textOf(item)}`;
  return isToolCall(item) ? item.call_id : item.type;
}

function toUsage(usage: z.infer<typeof wireUsage>): Usage {
  return {
    inputTokens: usage.input_tokens,
    cachedInputTokens: usage.input_tokens_details.cached_tokens,
    outputTokens: usage.output_tokens,
    reasoningTokens: usage.output_tokens_details.reasoning_tokens,
    totalTokens: usage.total_tokens ?? usage.input_tokens + usage.output_tokens,
  };
}

const failedResponse = z.object({ response: z.unknown() });

function failed(asked: Asked, event: Record<string, unknown> & { type: string }) {
  const said = event.type === 'error' ? { ...event, type: undefined } : failedResponse.parse(event).response;
  return answeredFailure(
    asked,
    findProviderError(said) ?? { code: undefined, type: undefined, message: 'no reason given' },
  );
}
