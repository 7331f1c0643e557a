/**
 * From what a provider answered, or failed to answer, to one `ModelFailure`: which reason, whether another try may
 * help, and a sentence that names provider, model, status, request and what to do. Never a key.
 */
import { ModelFailure, type ModelFailureReason } from './client.ts';
import { overflowCounts, overflowIn } from './context-overflow.ts';
import {
  describeHtml,
  looksLikeHtml,
  type ProviderError,
  providerErrorIn,
  waitAskedBy,
  waitAskedIn,
} from './provider-error.ts';

/** What was asked, of whom; no model where none is meant. `secrets` are struck out of every text that comes from outside. */
export type Asked = { provider: string; model: string | null; url: string; secrets: readonly string[] };

/** A whole HTTP answer that is no stream. */
export type HttpAnswer = { status: number; headers: Headers; body: string };

const MESSAGE_LIMIT = 500;

/** What a reason is called, and what a person can do about it. */
const SENTENCES: Record<
  Exclude<ModelFailureReason, 'config'>,
  { what: string; way: string; place?: true }
> = {
  auth: { what: 'refused the credentials', way: "Check this provider's API key." },
  'not-found': {
    what: 'knows no such model or address',
    way: 'Check model and base_url (most end in /v1).',
    place: true,
  },
  'context-overflow': {
    what: 'has no room for a conversation this long',
    way: 'Start a new session, or choose a model with a larger context window.',
  },
  'too-large': {
    what: 'does not take a request of this size in bytes',
    way: 'Images weigh most: send /compact, which leaves them out, or start a new session.',
  },
  images: {
    what: 'does not take the images of this conversation',
    way: 'Choose a model that does with /model NAME, or start a new session without them.',
  },
  quota: { what: 'has no quota left for you', way: 'Check plan and billing, or choose another provider.' },
  'rate-limit': { what: 'asks to slow down', way: 'Wait a little, then send it again.' },
  overloaded: { what: 'is overloaded', way: 'Wait a little, then send it again.' },
  'bad-request': { what: 'refused the request', way: 'Sending the same again will not help.' },
  server: { what: 'failed', way: 'Send it again; if it stays so, ask whoever runs the provider.' },
  connection: { what: 'cannot be reached', way: 'Check base_url and the network.', place: true },
  'stream-cut': { what: 'broke off its answer', way: 'Send it again.' },
  'not-an-api': {
    what: 'does not answer as the Responses API does',
    way: 'Check base_url (most end in /v1).',
    place: true,
  },
};

const RETRYABLE: ReadonlySet<ModelFailureReason> = new Set([
  'rate-limit',
  'overloaded',
  'server',
  'connection',
  'stream-cut',
]);

/** Codes and types seen from OpenAI, Azure, vLLM, OpenRouter and compatible ones. */
const REASON_BY_CODE: Readonly<Record<string, ModelFailureReason>> = {
  context_length_exceeded: 'context-overflow',
  exceed_context_size_error: 'context-overflow',
  insufficient_quota: 'quota',
  usage_limit_reached: 'quota',
  usage_not_included: 'quota',
  billing_hard_limit_reached: 'quota',
  billing_not_active: 'quota',
  rate_limit_exceeded: 'rate-limit',
  rate_limit_error: 'rate-limit',
  server_is_overloaded: 'overloaded',
  overloaded_error: 'overloaded',
  slow_down: 'overloaded',
  invalid_api_key: 'auth',
  authentication_error: 'auth',
  permission_error: 'auth',
  model_not_found: 'not-found',
  invalid_prompt: 'bad-request',
  model_output_invalid: 'bad-request',
  cyber_policy: 'bad-request',
  bio_policy: 'bad-request',
  content_filter: 'bad-request',
  content_policy_violation: 'bad-request',
  data_inspection_failed: 'bad-request',
};

/** As OpenAI, OpenRouter, vLLM, llama.cpp, Ollama and DeepSeek put it; the later ones are about a single image. */
const IMAGES = new RegExp(
  [
    '(?:image|vision)\\w{0,8}.{0,40}(?:not supported|only supported)',
    "(?:not|n't|that) support.{0,40}(?:image|vision|multimodal)",
    'not a multimodal model',
    'at most 0 image',
    'unknown variant .{0,3}(?:input_image|image_url)',
    'missing data required for image',
    '(?:not represent a valid|invalid) image',
    '(?:could not|cannot|failed to|unable to) (?:process|decode|load) .{0,10}image',
  ].join('|'),
  'i',
);

/** An answer with another status than 200. */
export function httpFailure(asked: Asked, answer: HttpAnswer): ModelFailure {
  const { status, headers, body } = answer;
  if (status >= 300 && status < 400) return redirectFailure(asked, answer);
  const error = providerErrorIn(body);
  return failure(asked, reasonOf(error, status), error, {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: waitAskedBy(headers, Date.now()) ?? waitAskedIn(error.message),
  });
}

function redirectFailure(asked: Asked, { status, headers }: HttpAnswer): ModelFailure {
  const location = headers.get('location') ?? '';
  const target = URL.canParse(location, asked.url) ? withoutQuery(new URL(location, asked.url)) : 'elsewhere';
  const message = `a redirect to ${target}, which is not followed`;
  return failure(asked, 'not-an-api', { code: undefined, type: undefined, message }, { status });
}

/** `response.failed`, an `error` event, or an error in place of a stream. */
export function answeredFailure(asked: Asked, error: ProviderError): ModelFailure {
  return failure(asked, reasonOf(error, undefined), error, { retryAfterMs: waitAskedIn(error.message) });
}

/** The answer has the wrong form: HTML, another API, garbage. */
export function formFailure(asked: Asked, body: string): ModelFailure {
  const message = looksLikeHtml(body) ? describeHtml(body) : body;
  return failure(asked, 'not-an-api', { code: undefined, type: undefined, message });
}

/** The request did not come through, or its answer did not come to an end. `why` is a phrase. */
export function transportFailure(
  asked: Asked,
  reason: 'connection' | 'stream-cut',
  why: string,
  options: { retryable?: boolean; unreached?: boolean; cause?: unknown } = {},
): ModelFailure {
  return failure(asked, reason, { code: undefined, type: undefined, message: why }, options);
}

function reasonOf(error: ProviderError, status: number | undefined): ModelFailureReason {
  const named = reasonOfCode(error.code) ?? reasonOfCode(error.type);
  if (named) return named;
  if (status === 429) return 'rate-limit';
  if (overflowIn(error.message)) return 'context-overflow';
  if (IMAGES.test(error.message)) return 'images';
  return status === undefined ? 'server' : reasonOfStatus(status);
}

function reasonOfCode(code: string | undefined): ModelFailureReason | undefined {
  return code !== undefined && Object.hasOwn(REASON_BY_CODE, code) ? REASON_BY_CODE[code] : undefined;
}

function reasonOfStatus(status: number): ModelFailureReason {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  if (status === 404) return 'not-found';
  if (status === 413) return 'too-large';
  if (status === 503 || status === 529) return 'overloaded';
  if (status === 408 || status >= 500) return 'server';
  return 'bad-request';
}

function failure(
  asked: Asked,
  reason: ModelFailureReason,
  error: ProviderError,
  about: {
    status?: number;
    requestId?: string | undefined;
    retryAfterMs?: number | undefined;
    retryable?: boolean;
    unreached?: boolean;
    cause?: unknown;
  } = {},
): ModelFailure {
  const { status, retryAfterMs } = about;
  const { what, way, place } = SENTENCES[reason === 'config' ? 'bad-request' : reason];
  const tell = (text: string) => shorten(strike(text, asked.secrets));
  const said = tell(error.message);
  const code = error.code && tell(error.code);
  const requestId = about.requestId && tell(about.requestId);
  const facts = [
    status !== undefined && `HTTP ${status}`,
    code !== undefined && `code ${code}`,
    requestId !== undefined && `request ${requestId}`,
    place && asked.url,
  ].filter((fact) => fact !== false && fact !== undefined);
  const message = [
    `${asked.provider}${asked.model === null ? '' : ` (model ${asked.model})`} ${what}`,
    facts.length > 0 ? ` (${facts.join(', ')})` : '',
    said && `: ${said}`,
  ].join('');
  return new ModelFailure(reason, `${message.replace(/\.$/, '')}. ${way}`, {
    retryable: about.retryable ?? RETRYABLE.has(reason),
    ...(status !== undefined && { httpStatus: status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(about.unreached && { unreached: true }),
    details: {
      ...{ provider: asked.provider, model: asked.model, status, requestId, code, url: asked.url },
      ...(reason === 'context-overflow' && overflowCounts(error.message)),
    },
    cause: about.cause,
  });
}

/** What may be shown of an address: its query can hold keys. */
export function withoutQuery(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

function strike(text: string, secrets: readonly string[]): string {
  return secrets.reduce((struck, secret) => struck.replaceAll(secret, '[hidden]'), text);
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MESSAGE_LIMIT ? `${line.slice(0, MESSAGE_LIMIT)}…` : line;
}
