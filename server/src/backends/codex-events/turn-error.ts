/** Why Codex's turns fail, in our words: who has to do what about it. */
import type { TurnError } from '@tscodex/shared/events';
import * as z from 'zod';

const codexError = z.object({
  message: z.string(),
  codexErrorInfo: z.unknown().optional(),
  additionalDetails: z.string().nullish().catch(undefined),
});

const LIMITS = new Set(['usageLimitExceeded', 'sessionBudgetExceeded', 'rateLimitExceeded']);

export function turnErrorOf(error: unknown): TurnError {
  const found = codexError.safeParse(error).data;
  if (!found)
    return { code: 'codex.turn', message: 'Codex ended the turn without saying why; send it again.' };
  const { kind, httpStatus } = infoOf(found.codexErrorInfo);
  const reason = found.message;
  const details = { reason, ...(kind ? { kind } : {}), ...(httpStatus === undefined ? {} : { httpStatus }) };
  if (kind === 'unauthorized' || httpStatus === 401 || httpStatus === 403)
    return {
      code: 'codex.login',
      message: `Codex was refused by its provider: ${reason}. Run "codex login" where this server runs or, where config.toml names another provider, look after the key of that one; then send it again.`,
      details,
    };
  if (LIMITS.has(kind ?? ''))
    return { code: 'codex.limit', message: `Codex has reached a limit of its account: ${reason}`, details };
  return { code: 'codex.turn', message: `Codex could not go on: ${reason}`, details };
}

const errorEvent = z.object({ error: z.unknown(), willRetry: z.literal(true) });

/** Why a try has failed that is followed by another one; null for what is no such try. */
export function failedTry(params: unknown): string | null {
  const event = errorEvent.safeParse(params).data;
  return event ? retryOf(event.error).message : null;
}

/** Of `codex exec`, which says nothing but a sentence; null: not even that. */
export function execErrorOf(reason: string | null): TurnError {
  return turnErrorOf(reason === null ? null : { message: reason, codexErrorInfo: infoIn(reason) });
}

/** Whether Codex's own words say that nobody is logged in any more. */
export function saysLoggedOut(words: string): boolean {
  return /(log|sign)(ged)? ?in again|not (logged|signed) in|could not be refreshed|codex login/i.test(words);
}

function infoIn(reason: string): unknown {
  if (saysLoggedOut(reason)) return 'unauthorized';
  if (/usage limit|quota/i.test(reason)) return 'usageLimitExceeded';
  const status = /(?:unexpected|last) status:? (\d{3})/.exec(reason)?.[1];
  if (status === '429') return 'rateLimitExceeded';
  return status === undefined ? undefined : { httpConnectionFailed: { httpStatusCode: Number(status) } };
}

/** `Reconnecting... 1/5` */
const ATTEMPT = /(\d+)\/(\d+)/;

export function retryOf(error: unknown) {
  const { message, additionalDetails, codexErrorInfo } = codexError.catch(UNSAID).parse(error);
  const [, attempt = '1', max = '1'] = ATTEMPT.exec(message) ?? [];
  const { httpStatus } = infoOf(codexErrorInfo);
  return {
    ...{ type: 'retrying' as const, attempt: Number(attempt), max: Number(max), delayMs: 0 },
    ...(httpStatus === undefined ? {} : { httpStatus }),
    message: additionalDetails ?? message,
  };
}

const UNSAID = { message: 'Codex tries again', codexErrorInfo: null, additionalDetails: null };

const withStatus = z.record(z.string(), z.looseObject({ httpStatusCode: z.number().nullish() }));

/** A word, or a word with more about it. */
export function infoOf(info: unknown): { kind?: string; httpStatus?: number } {
  if (typeof info === 'string') return { kind: info };
  const [found] = Object.entries(withStatus.safeParse(info).data ?? {});
  if (!found) return {};
  const [kind, { httpStatusCode }] = found;
  return { kind, ...(httpStatusCode == null ? {} : { httpStatus: httpStatusCode }) };
}
