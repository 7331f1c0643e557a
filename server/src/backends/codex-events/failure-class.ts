/**
 * Why a turn of Codex's has failed, as a class alone: what may be told to an agent that has started it. What Codex says
 * of it, and what its provider says, may hold anything.
 */
import * as z from 'zod';
import { infoOf } from './turn-error.ts';

export type FailureClass =
  /** Of the account, or of the time that it may take. */
  | 'limit'
  /** Refused: by the login, a policy, or what its session may do. */
  | 'access-policy'
  /** The provider is there, and fails. */
  | 'service'
  /** The provider cannot be reached. */
  | 'transport'
  /** Codex, or its provider, does not take what it was asked. */
  | 'product-error'
  /** It has ended without an answer, or with what is none. */
  | 'invalid-result'
  /** It could not be started, or has ended by itself. */
  | 'process'
  | 'unknown';

export type CodexFailure = { failureClass: FailureClass; httpStatus?: number };

/** By Codex's words for it; what is not here is told by its status, else it is Codex's own error. */
const KINDS: Readonly<Record<string, FailureClass>> = {
  ...{ usageLimitExceeded: 'limit', sessionBudgetExceeded: 'limit', rateLimitExceeded: 'limit' },
  ...{ unauthorized: 'access-policy', cyberPolicy: 'access-policy', bioPolicy: 'access-policy' },
  ...{ misalignmentPolicyViolation: 'access-policy', inferenceHookDenied: 'access-policy' },
  tooManyDenials: 'access-policy',
  ...{ serverOverloaded: 'service', internalServerError: 'service', flexUnavailable: 'service' },
  policyCapacityUnavailable: 'service',
};

/** They say that nothing came back, unless a status came. */
const CONNECTION =
  /^(httpConnectionFailed|responseStream(ConnectionFailed|Disconnected)|responseTooManyFailedAttempts)$/;

/** Codex's word for a status, which it tells by nothing else. */
const STATUS: Readonly<Record<string, number>> = { internalServerError: 500 };

const said = z.object({ codexErrorInfo: z.unknown() });

/** `seen`: the status that Codex has told of before, where it does not say one in the end. */
export function failureOf(error: unknown, seen?: number): CodexFailure {
  const info = said.safeParse(error).data;
  if (!info) return { failureClass: 'unknown' };
  const { kind, ...told } = infoOf(info.codexErrorInfo);
  const httpStatus = told.httpStatus ?? seen ?? STATUS[kind ?? ''];
  const failureClass = classOf(kind, httpStatus);
  return httpStatus === undefined ? { failureClass } : { failureClass, httpStatus };
}

function classOf(kind: string | undefined, httpStatus: number | undefined): FailureClass {
  if (kind === undefined) return 'unknown';
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (known) return known;
  if (!CONNECTION.test(kind)) return 'product-error';
  if (httpStatus === undefined) return 'transport';
  if (httpStatus === 401 || httpStatus === 403 || httpStatus === 407) return 'access-policy';
  if (httpStatus === 402 || httpStatus === 429) return 'limit';
  if (httpStatus >= 500) return 'service';
  return httpStatus >= 400 ? 'product-error' : 'transport';
}
