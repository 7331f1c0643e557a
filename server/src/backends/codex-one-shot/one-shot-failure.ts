/**
 * Why a Codex that was started for one task has failed, as people and the agent that has started it read it: in words of
 * ours alone, for what Codex and its provider say may hold anything.
 */
import type { TurnError } from '@tscodex/shared/events';
import { Failure, messageOf } from '../../base/errors.ts';
import type { CodexFailure, FailureClass } from '../codex-events/failure-class.ts';

/** What it was at: finding and starting Codex, beginning the thread, the turn itself, or reading its answer. */
export type Stage = 'start' | 'thread' | 'turn' | 'result';

const SENTENCES: Readonly<Record<FailureClass, [what: string, wayOut: string]>> = {
  limit: ['Codex has reached a limit of its account', 'start it again later'],
  'access-policy': [
    'Codex was refused, by its provider or by a policy',
    'run "codex login" where this server runs, look after the key of its provider where config.toml names another one, or give it another task',
  ],
  service: ['What Codex gets its answers from has failed', 'start it again later'],
  transport: [
    'Codex could not reach what it gets its answers from',
    'look after the network where this server runs, then start it again',
  ],
  'product-error': [
    'Codex, or its provider, has not taken the task',
    'look at its settings in config.toml, or update Codex',
  ],
  'invalid-result': ['Codex has ended without an answer', 'start it again, and ask for one in words'],
  process: [
    'Codex could not be started, or has ended by itself',
    'look whether "codex" runs where this server runs; codex_bin under [tscodex] names it',
  ],
  unknown: ['Codex has failed for a reason that is not known here', 'start it again'],
};

/** `codex-agent.CLASS`. */
export function oneShotError({ failureClass, httpStatus }: CodexFailure, stage: Stage): TurnError {
  const [what, wayOut] = SENTENCES[failureClass];
  const where = `stage ${stage}${httpStatus === undefined ? '' : `, HTTP ${httpStatus}`}`;
  return {
    code: `codex-agent.${failureClass}`,
    message: `${what} (${where}): ${wayOut}.`,
    details: { class: failureClass, stage, ...(httpStatus === undefined ? {} : { httpStatus }) },
  };
}

/** It has taken longer than it may; where its provider could not be reached all the while, that is why. */
export function tooLate(
  timeoutMs: number,
  stage: Stage,
  { retrying, httpStatus }: { retrying: boolean; httpStatus: number | undefined },
): TurnError {
  if (retrying && httpStatus !== undefined && httpStatus >= 500)
    return oneShotError({ failureClass: 'service', httpStatus }, stage);
  if (retrying && httpStatus === undefined) return oneShotError({ failureClass: 'transport' }, stage);
  const seconds = timeoutMs / 1000;
  return {
    code: 'codex-agent.limit',
    message: `Codex did not end within ${seconds} seconds (stage ${stage}): give it a smaller task, or raise timeout_sec under [tscodex.subagent_codex].`,
    details: { class: 'limit', stage, seconds },
  };
}

const CODES: Readonly<Record<string, FailureClass>> = {
  'codex.missing': 'process',
  'codex.ended': 'process',
  'codex.silent': 'process',
  'codex.version': 'product-error',
  'codex.request': 'product-error',
};

/** Of what was thrown meanwhile: a `Failure` of this server's own that is not about Codex is told as it is. */
export function thrownError(error: unknown, stage: Stage): TurnError {
  if (!(error instanceof Failure)) return oneShotError({ failureClass: 'unknown' }, stage);
  if (Object.hasOwn(CODES, error.code))
    return oneShotError({ failureClass: CODES[error.code] ?? 'unknown' }, stage);
  const reason = messageOf(error);
  return {
    code: 'codex-agent.access-policy',
    message: `Codex was not started here: ${reason}`,
    details: { class: 'access-policy', stage, reason },
  };
}
