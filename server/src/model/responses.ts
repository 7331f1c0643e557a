/** The Responses API of OpenAI and of the many servers that speak it. */
import * as z from 'zod';
import type { ProviderSettings } from '../base/config/model-config.ts';
import type { ModelClient, ModelEvent, ModelRequest } from './client.ts';
import { type Asked, answeredFailure, formFailure, transportFailure } from './failures.ts';
import { findProviderError } from './provider-error.ts';
import { readResponse } from './response-stream.ts';
import { requestBody } from './responses-body.ts';
import { LITE_HEADERS } from './responses-lite.ts';
import { readSse, type SseMessage, SseSyntaxError } from './sse.ts';
import { readBounded, Transport } from './transport.ts';
import { WireItems } from './wire-items.ts';

export class ResponsesClient implements ModelClient {
  readonly provider: string;
  private readonly transport: Transport;
  private readonly items = new WireItems();

  /** `version`: this program's, for the user agent. */
  constructor(settings: ProviderSettings, version: string) {
    this.provider = settings.id;
    this.transport = new Transport(settings, version);
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const path = '/responses';
    const asked = this.transport.asked(path, request.model);
    const body = requestBody(request, this.items);
    const call = { method: 'post' as const, path, body, headers: headersOf(request) };
    return this.transport.exchange(call, asked, signal, ({ headers, body }) =>
      readResponse(eventsOf(headers, body, asked), asked),
    );
  }

  async listModels(signal: AbortSignal): Promise<string[]> {
    const path = '/models';
    const asked = this.transport.asked(path, null);
    const bodies = this.transport.exchange(
      { method: 'get', path },
      asked,
      signal,
      async function* ({ body }) {
        yield await readBounded(body);
      },
    );
    for await (const body of bodies) return modelIds(body, asked);
    return [];
  }
}

/**
 * Codex's names for the conversation, by which a provider keeps its requests together. Of this machine the user agent
 * tells system and architecture, to every provider alike; of the repository nothing is told: Codex's turn metadata
 * holds its remotes and its latest commit, which are nobody's business but its owner's.
 */
function headersOf({ cacheKey, lite, subAgent }: ModelRequest): Record<string, string> {
  return {
    accept: 'text/event-stream',
    'session-id': cacheKey,
    'thread-id': cacheKey,
    'x-client-request-id': cacheKey,
    ...(lite && LITE_HEADERS),
    ...(subAgent && { 'x-openai-subagent': 'collab_spawn' }),
  };
}

/** The events of the body, whatever its declared type; HTML and one JSON document are told apart from a stream. */
async function* eventsOf(
  headers: Headers,
  body: AsyncIterable<Uint8Array>,
  asked: Asked,
): AsyncGenerator<SseMessage> {
  if (/json|html/.test(headers.get('content-type') ?? ''))
    throw documentFailure(await readBounded(body), asked);
  try {
    yield* readSse(body);
  } catch (error) {
    if (!(error instanceof SseSyntaxError)) throw error;
    // a server that has spoken as it should is not another API: something has broken within
    throw error.within
      ? transportFailure(asked, 'stream-cut', `an event that is no JSON (${error.excerpt})`)
      : formFailure(asked, error.excerpt);
  }
}

function documentFailure(text: string, asked: Asked) {
  const error = findProviderError(parsed(text));
  return error ? answeredFailure(asked, error) : formFailure(asked, text);
}

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

function modelIds(text: string, asked: Asked): string[] {
  const list = modelList.safeParse(parsed(text));
  if (!list.success) throw formFailure(asked, text);
  return list.data.data.map((model) => model.id);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller says what is wrong with the text
  }
}
