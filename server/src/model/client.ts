/**
 * The border to a model. Whatever the provider speaks, the loop sees one request form and one stream of events;
 * the test double of the whole product is a scripted implementation of `ModelClient`.
 */
import type { Usage } from '@tscodex/shared/events';
import { Failure } from '../base/errors.ts';
import type { ResponseItem } from '../base/response-items.ts';
import type { ToolStyle } from './catalog.ts';

/** What a tool looks like to the model, in the Responses API's form. */
export type ToolSpec =
  | {
      type: 'function';
      name: string;
      description: string;
      parameters: Record<string, unknown>;
      strict: false;
    }
  | {
      type: 'custom';
      name: string;
      description: string;
      format: { type: 'grammar'; syntax: 'lark'; definition: string };
    };

export type ModelRequest = {
  model: string;
  instructions: string;
  input: readonly ResponseItem[];
  tools: readonly ToolSpec[];
  effort?: string;
  summary?: string;
  verbosity?: string;
  /** `priority`, `flex`, …; undefined: the provider chooses. */
  serviceTier?: string;
  /** A JSON schema that the answer has to follow. */
  outputSchema?: Record<string, unknown>;
  /** Whether one answer may hold several calls; they may where nothing is said. */
  parallelToolCalls?: boolean;
  /** Instructions and tools go into the input; see `responses-lite`. */
  lite?: boolean;
  /** `function`: the model knows no calls but those of functions, from before neither. */
  toolStyle?: ToolStyle;
  /** It is for an agent that another one has started. */
  subAgent?: boolean;
  /** The session's id: lets the provider reuse what it computed for the common prefix. */
  cacheKey: string;
};

export type ModelEvent =
  /** A piece of the answer. `itemId` is the provider's id of the message it belongs to. */
  | { type: 'text'; itemId: string; delta: string }
  /** A piece of the reasoning; `newPart` opens a summary part. */
  | { type: 'reasoning'; itemId: string; part: 'summary' | 'text'; delta: string; newPart?: boolean }
  /** The model has begun to write a call, where the provider tells so early; its item comes once it is whole. */
  | { type: 'calling' }
  /** An item is whole. Deltas before it belong to it. */
  | { type: 'item'; item: ResponseItem }
  /** The attempt failed and another follows; what this request has yielded so far is void. */
  | {
      type: 'retrying';
      attempt: number;
      max: number;
      delayMs: number;
      httpStatus?: number;
      message: string;
    }
  /** Terminal. `incomplete` says why the provider stopped early (`max_output_tokens`, `content_filter`). */
  | { type: 'completed'; usage: Usage | null; incomplete?: string };

export interface ModelClient {
  /** The provider's name, for messages: `openai`, `vllm`, `demo`. */
  readonly provider: string;
  /**
   * Runs one request. Ends after `completed`; throws `ModelFailure` when it cannot, and the signal's reason when
   * aborted. Never retries by itself unless it says so by `retrying` events.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Model names the provider offers. Throws `ModelFailure`. */
  listModels(signal: AbortSignal): Promise<string[]>;
}

export type ModelFailureReason =
  | 'config' // nothing was sent: a key or a setting is missing
  | 'auth' // 401, 403
  | 'not-found' // 404: wrong model or wrong URL
  | 'context-overflow' // the input does not fit
  | 'too-large' // more bytes than the provider, or a proxy before it, lets through
  | 'images' // it takes none, or not these
  | 'quota' // used up, not "slow down"
  | 'rate-limit' // slow down
  | 'overloaded'
  | 'bad-request' // another 4xx, or response.failed that a retry will not mend
  | 'server' // 5xx, or response.failed of no known kind
  | 'connection' // refused, reset, DNS, no answer in time
  | 'stream-cut' // the stream ended without a terminal event
  | 'not-an-api'; // HTML or garbage where events belong

/**
 * A failed model request: message names provider and model, says what happened and what to try. The details of a
 * `context-overflow` hold `limit` and `requested`, in tokens, where the provider says them.
 */
export class ModelFailure extends Failure {
  override readonly name = 'ModelFailure';
  readonly reason: ModelFailureReason;
  readonly retryable: boolean;
  readonly httpStatus: number | undefined;
  /** What the provider asked to wait (Retry-After, "try again in"). */
  readonly retryAfterMs: number | undefined;
  /** Nothing of the request has arrived anywhere: the network or the whole provider is away. */
  readonly unreached: boolean;

  constructor(
    reason: ModelFailureReason,
    message: string,
    options: {
      retryable?: boolean;
      httpStatus?: number;
      retryAfterMs?: number;
      unreached?: boolean;
      details?: Record<string, unknown>;
      cause?: unknown;
    } = {},
  ) {
    super(reason === 'config' ? 'invalid' : 'unavailable', `model.${reason}`, message, options);
    this.reason = reason;
    this.retryable = options.retryable ?? false;
    this.httpStatus = options.httpStatus;
    this.retryAfterMs = options.retryAfterMs;
    this.unreached = options.unreached ?? false;
  }
}
