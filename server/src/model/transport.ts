/**
 * HTTP to a provider, through the OpenAI SDK with everything of its own switched off that we do better or do not
 * want: retries, logging, platform headers, its event parser.
 */
import { arch, platform } from 'node:os';
import type OpenAI from 'openai';
import type { ProviderSettings } from '../base/config/model-config.ts';
import { type Asked, type HttpAnswer, httpFailure, transportFailure, withoutQuery } from './failures.ts';
import { type JsonBody, jsonBody } from './json-body.ts';
import { networkProblem } from './network-problem.ts';

/** Bytes of a failed answer, or of a list of models, that are read. */
const BODY_LIMIT = 4 * 1024 * 1024;

/** The idle timer of the exchange watches instead of the SDK's; this is the longest a timer can be. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** Values shorter than this are no secrets, and striking them out would garble texts. */
const SECRET_LENGTH = 8;

export type Call = {
  method: 'get' | 'post';
  /** Below base_url: `/responses`. */
  path: string;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
};

export class Transport {
  private client: Promise<OpenAI> | undefined;

  constructor(
    private readonly settings: ProviderSettings,
    private readonly version: string,
  ) {}

  /** How failures of a request name it. */
  asked(path: string, model: string | null): Asked {
    const { id, baseUrl, queryParams } = this.settings;
    const inUrl = [...new URL(baseUrl).searchParams.values(), ...Object.values(queryParams)];
    const secrets = [this.settings.apiKey(), ...Object.values(this.settings.headers()), ...inUrl];
    return {
      provider: id,
      model,
      url: base(baseUrl) + path,
      secrets: secrets.filter((text) => text !== undefined && text.length >= SECRET_LENGTH) as string[],
    };
  }

  /**
   * Sends, and hands the answer of status 2xx to `read`, with its body as chunks. The exchange ends with `read`,
   * whether that finishes, fails or is left early. Throws `ModelFailure`, and the signal's reason when aborted.
   */
  async *exchange<T>(
    call: Call,
    asked: Asked,
    signal: AbortSignal,
    read: (answer: { headers: Headers; body: AsyncIterable<Uint8Array> }) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    this.client ??= this.connect();
    const client = await this.client;
    const idle = new IdleTimer(this.settings.idleTimeoutMs);
    const cancel = new AbortController();
    const either = AbortSignal.any([signal, idle.signal, cancel.signal]);
    try {
      signal.throwIfAborted();
      const { method, path, body } = call;
      const sent = body && sentAs(jsonBody(body));
      const headers = { ...sent?.headers, ...call.headers };
      const options = { headers, signal: either, ...(sent && { body: sent.body }) };
      const response = await client[method](path, options).asResponse();
      yield* read({ headers: response.headers, body: chunksOf(response, idle) });
    } catch (error) {
      signal.throwIfAborted();
      throw idle.signal.aborted ? this.tooIdle(asked) : asFailure(error, asked);
    } finally {
      idle.stop();
      cancel.abort();
    }
  }

  private async connect(): Promise<OpenAI> {
    // imported late: the SDK takes longer to load than the rest of the server
    const { OpenAI } = await import('openai');
    const { baseUrl, queryParams } = this.settings;
    const key = this.settings.apiKey();
    return new OpenAI({
      apiKey: key ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      baseURL: base(baseUrl),
      defaultQuery: { ...Object.fromEntries(new URL(baseUrl).searchParams), ...queryParams },
      defaultHeaders: {
        ...SDK_HEADERS_OFF,
        ...(key === undefined && { Authorization: null }),
        'User-Agent': `tscodex/${this.version} (${platform()}; ${arch()})`,
        originator: 'tscodex',
        ...this.settings.headers(),
      },
      maxRetries: 0,
      timeout: NO_TIMEOUT,
      logLevel: 'off',
      fetchOptions: { redirect: 'manual' },
      fetch: fetchOrFail,
    });
  }

  private tooIdle(asked: Asked) {
    const seconds = Math.round(this.settings.idleTimeoutMs / 1000);
    return transportFailure(asked, 'connection', `it sent nothing for ${seconds} s`);
  }
}

/** Its length is told in either form: not all servers take a body that does not say it. */
function sentAs({ bytes, pieces }: JsonBody) {
  const [only, ...more] = pieces;
  const headers = { 'content-type': 'application/json', 'content-length': `${bytes}` };
  return { headers, body: more.length === 0 ? only : inTurn(pieces) };
}

/** Each piece is let go once it has been taken. */
async function* inTurn(pieces: Buffer[]): AsyncGenerator<Buffer> {
  for (let piece = pieces.shift(); piece; piece = pieces.shift()) yield piece;
}

/** What the SDK would tell the provider about this machine. */
const SDK_HEADERS_OFF = Object.fromEntries(
  ['Lang', 'Package-Version', 'OS', 'Arch', 'Runtime', 'Runtime-Version', 'Retry-Count', 'Timeout'].map(
    (name) => [`X-Stainless-${name}`, null],
  ),
);

/** base_url without query and closing slashes: paths are joined to it. */
function base(baseUrl: string): string {
  return withoutQuery(new URL(baseUrl)).replace(/\/+$/, '');
}

/** An answer that is no success, thrown because the SDK would keep only part of its body. */
class NoSuccess extends Error {
  constructor(readonly answer: HttpAnswer) {
    super('no success');
  }
}

/** No answer. The reason is no `cause`, because the SDK judges those by their words. */
class NoAnswer extends Error {
  constructor(readonly reason: unknown) {
    super('no answer');
  }
}

async function fetchOrFail(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init).catch((error: unknown) => {
    throw new NoAnswer(error);
  });
  if (response.ok) return response;
  const body = await readBounded(response.body ?? []);
  throw new NoSuccess({ status: response.status, headers: response.headers, body });
}

/** The text of a body, up to a bound. */
export async function readBounded(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > BODY_LIMIT) break;
  }
  return text + decoder.decode();
}

/** The connection broke within the answer. */
class BrokenOff extends Error {}

async function* chunksOf(response: Response, idle: IdleTimer): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body ?? []) {
      idle.stop(); // how long the reader takes is not the provider's idleness
      yield chunk;
      idle.start();
    }
  } catch (error) {
    throw new BrokenOff('the connection broke within the answer', { cause: error });
  }
}

class IdleTimer {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly ms: number) {
    this.start();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  start(): void {
    this.timer = setTimeout(() => this.controller.abort(), this.ms);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

function asFailure(error: unknown, asked: Asked): unknown {
  if (error instanceof BrokenOff)
    return transportFailure(asked, 'stream-cut', error.message, { cause: error });
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof NoSuccess) return httpFailure(asked, cause.answer);
    if (cause instanceof NoAnswer) {
      const { why, ...problem } = networkProblem(cause.reason);
      return transportFailure(asked, 'connection', why, { ...problem, cause: cause.reason });
    }
  }
  return error;
}
