/**
 * Expected failures. Every one names the thing, the place and the way out in its message, and carries a stable
 * `code` to match on. Anything else that is thrown is a bug.
 */
import type { Problem } from '@tscodex/shared/workspace';

/** What kind of failure it is; HTTP turns it into a status, the command line into an exit code. */
export type FailureKind =
  | 'invalid' // the request or the configuration is wrong: 400, exit 2
  | 'unauthorized' // 401
  | 'forbidden' // 403
  | 'notFound' // 404
  | 'conflict' // the state does not allow it: 409
  | 'tooLarge' // 413
  | 'mediaType' // bytes of a kind that is not taken: 415
  | 'tooMany' // 429
  | 'unavailable'; // disk, process, provider: 503

export class Failure extends Error {
  override readonly name: string = 'Failure';

  constructor(
    readonly kind: FailureKind,
    /** Stable, dotted: `workspace.unknown`, `state.locked`. */
    readonly code: string,
    message: string,
    options: { details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.details = options.details;
  }

  readonly details: Record<string, unknown> | undefined;
}

/** Of whatever was thrown, what may be told. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof Failure)) return { code: 'internal', message: messageOf(error) };
  const { code, message, details } = error;
  return { code, message, ...(details ? { details } : {}) };
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
