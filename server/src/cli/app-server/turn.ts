/** Turns as Codex's app-server tells of them, and why they failed in its words. Pure. */
import type { TurnError, TurnStatus } from '@tscodex/shared/events';
import type { ThreadItem } from './thread-item.ts';

export type Turn = {
  id: string;
  rootTurnId: string;
  items: ThreadItem[];
  itemsView: 'full' | 'summary' | 'notLoaded';
  status: TurnStatus | 'inProgress';
  error: object | null;
  /** Seconds. */
  startedAt: number | null;
  completedAt: number | null;
  durationMs: number | null;
};

/** One that has begun; `startedAt`: ISO. */
export function begunTurn(id: string, startedAt: string | null): Turn {
  return {
    ...{ id, rootTurnId: id, items: [], itemsView: 'notLoaded', status: 'inProgress', error: null },
    ...{ startedAt: startedAt === null ? null : seconds(startedAt), completedAt: null, durationMs: null },
  };
}

export function seconds(at: string | number): number {
  return Math.floor((typeof at === 'number' ? at : Date.parse(at)) / 1000);
}

export function errorOf({ message, code, details }: TurnError) {
  return { message, codexErrorInfo: infoOf(code, details), additionalDetails: null, misalignment: null };
}

/** One that is followed by another try. */
export function retryError(retry: {
  attempt: number;
  max: number;
  httpStatus?: number | undefined;
  message: string;
}) {
  return {
    message: `Reconnecting... ${retry.attempt}/${retry.max}`,
    codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: retry.httpStatus ?? null } },
    ...{ additionalDetails: retry.message, misalignment: null },
  };
}

/** By the code of a failure of the model. */
const INFO: Readonly<Record<string, (status: number | null) => string | object>> = {
  'model.context-overflow': () => 'contextWindowExceeded',
  'model.quota': () => 'usageLimitExceeded',
  'model.overloaded': () => 'serverOverloaded',
  'model.not-found': () => 'modelNotFound',
  'model.server': () => 'internalServerError',
  'model.auth': (httpStatusCode) => ({ httpConnectionFailed: { httpStatusCode } }),
  'model.rate-limit': (httpStatusCode) => ({ responseTooManyFailedAttempts: { httpStatusCode } }),
  'model.connection': (httpStatusCode) => ({ responseStreamConnectionFailed: { httpStatusCode } }),
  'model.stream-cut': (httpStatusCode) => ({ responseStreamDisconnected: { httpStatusCode } }),
};

function infoOf(code: string, details: TurnError['details']): string | object {
  const status = typeof details?.httpStatus === 'number' ? details.httpStatus : null;
  return (Object.hasOwn(INFO, code) ? INFO[code]?.(status) : undefined) ?? 'other';
}
