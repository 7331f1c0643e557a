/**
 * One request to the model: sends it, shows the answer while it streams, and returns its items once it is whole.
 * Nothing enters the history before that, so that a retry starts clean.
 */
import type { Usage } from '@tscodex/shared/events';
import { isToolCall, type ResponseItem, textOf } from '../base/response-items.ts';
import { type ModelEvent, ModelFailure, type ModelRequest } from '../model/client.ts';
import { requestParameters } from '../model/request-parameters.ts';
import { LiveItems } from './live-items.ts';
import { withNewestImages, withoutImages } from './request-images.ts';
import { RetryNotice } from './retry-notice.ts';
import type { TurnContext, TurnPorts } from './turn-context.ts';

export type ModelResponse = {
  items: ResponseItem[];
  lastMessage: string | null;
  /** null where the provider reports none. */
  usage: Usage | null;
  /** Why the answer ends before its end. What came of it belongs to the history, so that it can be continued. */
  stoppedEarly?: ModelFailure;
};

/** Throws `ModelFailure`, or the signal's reason. What was shown of a failed answer is closed first. */
export async function requestModel(
  context: TurnContext,
  ports: Pick<TurnPorts, 'emit' | 'calling' | 'used'>,
  signal: AbortSignal,
): Promise<ModelResponse> {
  const live = new LiveItems(context.turnId, ports.emit);
  const retries = new RetryNotice(context.turnId, ports.emit);
  const items: ResponseItem[] = [];
  try {
    const request = requestFor(context, context.history);
    for await (const event of context.client.stream(request, signal)) {
      if (event.type === 'completed') {
        if (event.usage) ports.used(event.usage);
        return { ...finish(event.incomplete, items, context, live, retries), usage: event.usage };
      }
      if (event.type === 'calling') ports.calling();
      else follow(event, items, live, retries);
    }
    throw new ModelFailure('stream-cut', `${context.client.provider}: the answer ended early; try again.`);
  } catch (error) {
    live.abandon(signal.aborted ? 'interrupted' : 'failed');
    retries.close(false);
    throw error;
  }
}

/** The request of a turn about `history`. */
export function requestFor(
  { settings, facts, instructions, tools, sessionId, subAgent }: TurnContext,
  history: readonly ResponseItem[],
): ModelRequest {
  return {
    ...requestParameters(settings, facts),
    instructions,
    input: facts.images === false ? withoutImages(history) : withNewestImages(history),
    tools: tools.map((tool) => tool.spec),
    cacheKey: sessionId,
    ...(subAgent && { subAgent }),
  };
}

function follow(
  event: Exclude<ModelEvent, { type: 'calling' | 'completed' }>,
  items: ResponseItem[],
  live: LiveItems,
  retries: RetryNotice,
): void {
  if (event.type === 'text') live.text(event.itemId, event.delta);
  if (event.type === 'reasoning')
    live.reasoning(event.itemId, event.part, event.delta, event.newPart ?? false);
  if (event.type === 'item') {
    items.push(event.item);
    live.whole(event.item);
  }
  if (event.type === 'retrying') {
    items.length = 0;
    live.discard();
    retries.show(event);
  }
}

function finish(
  incomplete: string | undefined,
  items: ResponseItem[],
  { client, settings, ids }: TurnContext,
  live: LiveItems,
  retries: RetryNotice,
): Omit<ModelResponse, 'usage'> {
  retries.close(true);
  if (incomplete !== undefined) {
    live.complete(false);
    const what = `${client.provider}: ${settings.model} stopped early (${incomplete})`;
    const filtered = incomplete === 'content_filter';
    const way = filtered ? 'Ask in other words.' : 'Say "continue", or ask for less at a time.';
    const stoppedEarly = new ModelFailure('bad-request', `${what}. ${way}`);
    return { items: ids.of(untilLastMessage(items)), lastMessage: null, stoppedEarly };
  }
  const unique = ids.of(items);
  live.complete(unique.some(isToolCall));
  const last = unique.findLast((item) => item.type === 'message');
  return { items: unique, lastMessage: last?.type === 'message' ? textOf(last) : null };
}

/** Without calls, which nobody will run, and without reasoning that led to nothing: providers refuse both. */
function untilLastMessage(items: ResponseItem[]): ResponseItem[] {
  const last = items.findLastIndex((item) => item.type === 'message');
  return items.slice(0, last + 1).filter((item) => !isToolCall(item));
}
