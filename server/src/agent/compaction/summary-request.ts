/**
 * Asks the model for a summary of a conversation. The request begins as the conversation's own do, tools and all,
 * so that the provider's prefix cache serves it; only its last message is new.
 */
import prompt from '@tscodex/prompts/compaction.md';
import { Failure } from '../../base/errors.ts';
import { isToolCall, type ResponseItem, textOf, userText } from '../../base/response-items.ts';
import { ModelFailure } from '../../model/client.ts';
import { requestFor } from '../model-response.ts';
import { withoutImages } from '../request-images.ts';
import { RetryNotice } from '../retry-notice.ts';
import type { TurnContext, TurnPorts } from '../turn-context.ts';
import { tokensOf, tokensOfText } from './context-size.ts';
import { isOverflow, isTooLarge } from './overflow.ts';
import { shortened } from './shortened-history.ts';

export type SummaryOrder = {
  history: readonly ResponseItem[];
  /** Instead of ours. */
  prompt: string | undefined;
  /** Tokens that history, instruction and summary may take together; what is more is left out. undefined: not known. */
  room: number | undefined;
  /** Tokens of the summary; what is beyond it is cut off. */
  limit: number;
};

type Ports = Pick<TurnPorts, 'emit'> & { usedAside: TurnPorts['used'] };

/** Of one summary: the whole conversation, and two shorter ones. */
const MOST_REQUESTS = 3;

/** What a request keeps of the one that did not fit. */
const NEXT_SHARE = 0.5;

/** Of the history; a request with less has nothing to sum up. */
const LEAST_TOKENS = 1000;

/** All requests for one summary together; a stream may go on for ever without a word in it. */
const MOST_MINUTES = 15;

const CHARACTERS_PER_TOKEN = 4;
const WORDS_PER_TOKEN = 0.6;

/** A model that thinks longer than this about a summary will not come to one. */
const MOST_REASONING = 400_000;

const WAY = 'Send /compact to try again, or choose another model with /model NAME.';

export type Summary = {
  text: string;
  /** Items of the history that were shortened or left out so that the request could be answered. */
  shortened: number;
};

/** Throws `ModelFailure`, `compaction.empty`, `compaction.called`, `compaction.slow`, or the signal's reason. */
export async function requestSummary(
  context: TurnContext,
  order: SummaryOrder,
  ports: Ports,
  signal: AbortSignal,
): Promise<Summary> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(tooSlow(nameOf(context))), MOST_MINUTES * 60_000);
  try {
    return await summaryOf(context, order, ports, AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

async function summaryOf(
  context: TurnContext,
  order: SummaryOrder,
  ports: Ports,
  signal: AbortSignal,
): Promise<Summary> {
  const ask = userText(order.prompt ?? ourPrompt(order.limit));
  const whole = (order.room ?? Number.POSITIVE_INFINITY) - tokensOf([ask]) - order.limit;
  let room = Math.max(whole, LEAST_TOKENS);
  let history = order.history;
  let tools = context.tools;
  for (let request = 1; ; request++) {
    const { items, cut } = shortened(history, room);
    try {
      // a summary is prose, whatever answers have to fit
      const settings = { ...context.settings, outputSchema: undefined };
      const asked = requestFor({ ...context, settings, tools }, [...items, ask]);
      return { text: await read(context, asked, order.limit, ports, signal), shortened: cut };
    } catch (error) {
      if (request === MOST_REQUESTS || !(error instanceof Failure)) throw error;
      if (error.code === 'compaction.called') tools = [];
      else if (isTooLarge(error)) history = withoutImages(history);
      else if (isOverflow(error)) room = roomAfter(error, tokensOf(items));
      else throw error;
    }
  }
}

function ourPrompt(limit: number): string {
  const words = Math.max(Math.round((limit * WORDS_PER_TOKEN) / 50) * 50, 100);
  return prompt.trim().replace('{words}', String(words));
}

/** By what the provider counts, where it says so: its tokens are others than ours. */
function roomAfter({ details }: ModelFailure, tokens: number): number {
  const { limit, requested } = (details ?? {}) as { limit?: unknown; requested?: unknown };
  const told =
    typeof limit === 'number' && typeof requested === 'number' && requested > limit ? limit / requested : 1;
  return Math.floor(tokens * Math.min(NEXT_SHARE, told * 0.8));
}

async function read(
  context: TurnContext,
  asked: ReturnType<typeof requestFor>,
  limit: number,
  ports: Ports,
  signal: AbortSignal,
): Promise<string> {
  const { turnId, client } = context;
  const retries = new RetryNotice(turnId, ports.emit);
  const name = nameOf(context);
  const most = limit * CHARACTERS_PER_TOKEN;
  let texts: string[] = [];
  let streamed = '';
  let reasoned = 0;
  let called = false;
  let ended = false;
  try {
    for await (const event of client.stream(asked, signal)) {
      if (event.type === 'retrying') {
        [texts, streamed, reasoned, called] = [[], '', 0, false];
        retries.show(event);
      }
      if (event.type === 'text') streamed += event.delta;
      if (event.type === 'reasoning') reasoned += event.delta.length;
      if (event.type === 'item' && event.item.type === 'message') texts.push(textOf(event.item));
      if (event.type === 'item' && isToolCall(event.item)) called = true;
      if (event.type === 'completed') {
        if (event.usage) ports.usedAside(event.usage);
        if (event.incomplete && event.incomplete !== 'max_output_tokens')
          throw stopped(name, event.incomplete);
      }
      ended = event.type === 'completed' || streamed.length > most || reasoned > MOST_REASONING;
      // leaving ends the request: a summary without end would cost without end
      if (ended) break;
    }
    if (!ended) throw new ModelFailure('stream-cut', `${name} broke off its summary.`);
  } catch (error) {
    retries.close(false);
    throw error;
  }
  signal.throwIfAborted();
  retries.close(true);
  const whole = (texts.join('\n\n') || streamed).trim();
  if (whole === '')
    throw called
      ? noSummary(name, 'compaction.called', 'called a tool')
      : noSummary(name, 'compaction.empty', 'said nothing');
  return tokensOfText(whole) > limit ? cut(whole, most) : whole;
}

function nameOf({ client, settings }: TurnContext): string {
  return `${client.provider} (model ${settings.model})`;
}

function tooSlow(name: string): Failure {
  const what = `${name} took longer than ${MOST_MINUTES} minutes to sum up.`;
  return new Failure('unavailable', 'compaction.slow', `${what} ${WAY}`, {
    details: { name, minutes: MOST_MINUTES },
  });
}

function noSummary(name: string, code: string, what: string): Failure {
  return new Failure('unavailable', code, `${name} ${what} instead of summing up. ${WAY}`, {
    details: { name },
  });
}

function stopped(name: string, why: string): ModelFailure {
  return new ModelFailure('bad-request', `${name} stopped before the summary was whole (${why}).`);
}

function cut(summary: string, characters: number): string {
  return `${summary.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '')}\n[cut off here: it was too long]`;
}
