/** The Responses API's event stream, as the loop's model events. */
import * as z from 'zod';
import { isToolCall, type ResponseItem, textOf } from '../base/response-items.ts';
import type { ModelEvent } from './client.ts';
import { type Asked, answeredFailure, formFailure, transportFailure } from './failures.ts';
import { itemFromWire } from './items-from-wire.ts';
import { findProviderError } from './provider-error.ts';
import type { SseMessage } from './sse.ts';
import { StreamedCalls } from './streamed-calls.ts';
import { type WireEvent, wireEvent } from './wire-events.ts';

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

/** Characters of an answer, streamed and whole; no model means as much, and all of it is held in memory. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** What has come of one response so far. */
class Answer {
  ended = false;
  /** Text that was streamed and belongs to no whole message yet. */
  private streamed = { id: '', text: '' };
  private summaryPart: string | undefined;
  private readonly calls = new StreamedCalls();
  /** Marks of the items that are out. */
  private readonly done = new Set<string>();
  /** An item says of itself that it was cut. */
  private cut = false;
  private characters = 0;

  constructor(private readonly asked: Asked) {}

  *take(event: WireEvent): Generator<ModelEvent> {
    if ('delta' in event && typeof event.delta === 'string') this.count(event.delta);
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
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        this.calls.piece(placeOf(event), event.delta);
        return;
      case 'response.function_call_arguments.done':
        this.calls.whole(placeOf(event), event.arguments);
        return;
      case 'response.custom_tool_call_input.done':
        this.calls.whole(placeOf(event), event.input);
        return;
      case 'response.output_item.added':
        if (this.calls.begin(placeOf(event), event.item)) yield { type: 'calling' };
        return;
      case 'response.output_item.done':
        yield* this.item(this.calls.end(placeOf(event), event.item));
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

  private count({ length }: string): void {
    this.characters += length;
    if (this.characters <= MOST_CHARACTERS) return;
    const why = `its answer has more than ${MOST_CHARACTERS / 1024 / 1024} MiB`;
    throw transportFailure(this.asked, 'stream-cut', why, { retryable: false });
  }

  private summary(item: string, part: number, delta: string): ModelEvent {
    const key = `${item} ${part}`;
    const newPart = this.summaryPart !== key;
    this.summaryPart = key;
    return { type: 'reasoning', itemId: item, part: 'summary', delta, ...(newPart && { newPart }) };
  }

  private *item(raw: unknown, onlyNew = false): Generator<ModelEvent> {
    const item = itemFromWire(raw);
    if (!item) return;
    this.count(JSON.stringify(raw));
    this.cut ||= isCut(raw);
    const known = this.done.has(mark(item, raw));
    this.done.add(mark(item, raw));
    if (known && onlyNew) return;
    if (item.type === 'message') this.streamed = { id: '', text: '' };
    yield { type: 'item', item };
  }

  /** What came by no `output_item.done` is taken from the final output, else from the deltas. */
  private *complete(event: Extract<WireEvent, { type: 'response.completed' | 'response.incomplete' }>) {
    const { output, usage, status } = event.response;
    if (status === 'failed') throw failed(this.asked, event);
    for (const raw of output) yield* this.item(raw, true);
    const { id, text } = this.streamed;
    const content = [{ type: 'output_text', text }];
    if (text) yield* this.item({ type: 'message', role: 'assistant', id, content });
    const incomplete = this.incomplete(event);
    if (incomplete === undefined) for (const raw of this.calls.left()) yield* this.item(raw, true);
    this.ended = true;
    const why = incomplete === undefined ? {} : { incomplete };
    yield { type: 'completed' as const, usage, ...why };
  }

  /** Why the answer ends before its end. Some servers say `completed` of one that was cut at its length. */
  private incomplete({ type, response }: Extract<WireEvent, { response: unknown }>): string | undefined {
    const { status, incomplete_details: details, usage, max_output_tokens: max } = response;
    if (details) return details.reason;
    if (max !== undefined && usage && usage.outputTokens >= max) return 'max_output_tokens';
    return type === 'response.incomplete' || status === 'incomplete' || this.cut ? 'unknown' : undefined;
  }
}

/** By its place: ids differ from event to event with some servers. */
function placeOf({ output_index: at, item_id: id }: { output_index?: number; item_id: string }): string {
  return at === undefined ? `id ${id}` : `${at}`;
}

function isCut(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && 'status' in raw && raw.status === 'incomplete';
}

/** Tells an item of the final output from one seen before, also where a server gives it another id there, or none. */
function mark(item: ResponseItem, raw: unknown): string {
  if (item.type === 'message') return `message ${textOf(item)}`;
  if (!isToolCall(item)) return item.type;
  const hasId = (raw as { call_id?: unknown }).call_id === item.call_id;
  return hasId ? item.call_id : JSON.stringify(item.type === 'function_call' ? item.arguments : item.input);
}

const failedResponse = z.object({ response: z.unknown() });

function failed(asked: Asked, event: Record<string, unknown> & { type: string }) {
  const said = event.type === 'error' ? { ...event, type: undefined } : failedResponse.parse(event).response;
  return answeredFailure(
    asked,
    findProviderError(said) ?? { code: undefined, type: undefined, message: 'no reason given' },
  );
}
