/** What does not fit into the model's window, and what people can do about it. */
import { Failure } from '../../base/errors.ts';
import { ModelFailure } from '../../model/client.ts';

export function isOverflow(error: unknown): error is ModelFailure {
  return error instanceof ModelFailure && error.reason === 'context-overflow';
}

/** By its bytes, not by its tokens. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof ModelFailure && error.reason === 'too-large';
}

/** A request did not fit, and does not after a compaction either. */
export function stillTooLong(overflow: ModelFailure): Failure {
  const what = 'The conversation was summed up and still does not fit';
  const way =
    'Send less at once (put long texts into files), send /compact to try once more, or choose a model with a larger context window.';
  return new Failure('unavailable', 'compaction.stillTooLong', `${what}: ${overflow.message} ${way}`, {
    ...(overflow.details ? { details: overflow.details } : {}),
    cause: overflow,
  });
}

export type VainCompaction = {
  model: string;
  /** Tokens that the conversation takes, what has to be there in any case, and where it is too long. */
  used: number;
  fixed: number;
  limit: number;
};

/** One compaction after the other has left the conversation too long. */
export function inVain(details: VainCompaction): Failure {
  const { model, used, fixed, limit } = details;
  const what = `Summing the conversation up does not make room any more: it takes about ${used} tokens, ${fixed} of them for instructions and tools, and with ${model} it is to stay below ${limit}.`;
  const way =
    'Send /compact to try once more, choose a model with a larger context window with /model NAME, or start a new session.';
  return new Failure('unavailable', 'compaction.inVain', `${what} ${way}`, { details });
}
