/** The HTTP half of the API: every write and every read that is not live. JSON only. */
import type { ApiError } from '@tscodex/shared/workspace';
import { t } from '../messages/messages.ts';
import { serverSentence } from '../messages/server-sentence.ts';

/** A request that failed: what the server said (in the page's language), or `network` with status 0 when none answered. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';

  constructor(
    readonly code: string,
    message: string,
    /** The HTTP status; 0 when there was no answer. */
    readonly status: number,
    readonly details: Record<string, unknown> = {},
    /** Seconds after which the server would listen again. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }

  /** The server itself has not spoken: nobody did, or a proxy that does not reach it. It may later. */
  get isUnreachable(): boolean {
    return this.status === 0 || (this.code === UNREADABLE && AWAY.includes(this.status));
  }
}

const UNREADABLE = 'http.unreadable';
/** What a proxy says of a server that is away. */
const AWAY: readonly number[] = [502, 503, 504];

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Requests below one server's base path. Every method throws `ApiProblem` and nothing else. */
export class Api {
  /** `onLoggedOut` is called before a request throws because the login is missing or has ended. */
  constructor(
    readonly base: URL,
    private readonly onLoggedOut: () => void,
  ) {}

  /**
   * `path` has no leading slash: `api/workspaces`. Answers without a body resolve to undefined. Nobody waits any
   * more once `gone`: the answer is then a problem like any other.
   */
  async json<Answer>(method: Method, path: string, body?: unknown, gone?: AbortSignal): Promise<Answer> {
    const response = await this.request(method, path, body, gone);
    const text = await read(response);
    if (text === '') return undefined as Answer;
    const answer = parse(text);
    if (answer === undefined) throw unreadable(response);
    return answer as Answer;
  }

  async text(path: string): Promise<string> {
    return read(await this.request('GET', path));
  }

  /** On the login page itself a 401 leads nowhere: it is what the page has to say. */
  async login(credentials: ({ password: string } | { token: string }) & { name?: string }): Promise<void> {
    await this.send('POST', 'api/login', credentials);
  }

  /** Whether this browser is in; asking leads nowhere. A server that cannot be reached counts as no. */
  async isLoggedIn(): Promise<boolean> {
    return this.send('GET', 'api/me').then(
      () => true,
      () => false,
    );
  }

  private async request(method: Method, path: string, body?: unknown, gone?: AbortSignal): Promise<Response> {
    try {
      return await this.send(method, path, body, gone);
    } catch (problem) {
      throw this.noticed(problem);
    }
  }

  /** Passes a problem on; one that means the login has ended leads to the login page. */
  noticed(problem: unknown): unknown {
    if (problem instanceof ApiProblem && problem.status === 401) this.onLoggedOut();
    return problem;
  }

  private async send(method: Method, path: string, body?: unknown, gone?: AbortSignal): Promise<Response> {
    const init: RequestInit = { method, headers: { accept: 'application/json' } };
    if (gone) init.signal = gone;
    if (body !== undefined) {
      init.headers = { accept: 'application/json', 'content-type': 'application/json' };
      init.body = JSON.stringify(body);
    }
    const response = await fetch(new URL(path, this.base), init).catch(() => {
      throw unreachable();
    });
    if (!response.ok) throw await problemOf(response);
    return response;
  }
}

/** The parts of a path, each escaped: `api/sessions/a%2Fb`. */
export function urlPath(...parts: string[]): string {
  return parts.map(encodeURIComponent).join('/');
}

export async function problemOf(response: Response): Promise<ApiProblem> {
  const answer = parse(await read(response)) as Partial<ApiError> | undefined;
  const error = answer?.error;
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') return unreadable(response);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfter = Number.isFinite(seconds) ? seconds : null;
  const { code, message, details } = error;
  return new ApiProblem(
    code,
    serverSentence({ code, message, details }),
    response.status,
    details,
    retryAfter,
  );
}

/** undefined for what is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function read(response: Response): Promise<string> {
  return response.text().catch(() => {
    throw unreachable();
  });
}

export function unreachable(): ApiProblem {
  return new ApiProblem('network', t('api.unreachable'), 0);
}

/** An answer that is none of the server's: a proxy spoke. */
export function unreadable({ status }: Response): ApiProblem {
  return new ApiProblem(UNREADABLE, proxySentence(status), status);
}

function proxySentence(status: number): string {
  if (status === 413) return t('api.proxyLimit');
  if (AWAY.includes(status)) return t('api.proxyAlone', { status: String(status) });
  return t('api.unreadable', { status: String(status) });
}
