/** How an ask has ended without this page: it is told, or refused with an answer that came too late. */
import type { AskEnding } from '@tscodex/shared/asks';
import { ApiProblem } from '../api/http.ts';
import { t } from '../messages/messages.ts';

export type Ending = {
  how: 'allowed' | 'allowedForGood' | 'declined' | 'answered' | 'withdrawn' | 'expired';
  /** null where nobody did it, or nobody gave a name. */
  by: string | null;
};

/** null where the failure is another one. */
export function endingOf(failure: unknown): Ending | null {
  if (!(failure instanceof ApiProblem) || failure.code !== 'ask.ended') return null;
  return endingFrom(failure.details);
}

/** From what the server tells of an ask that has ended. */
export function endingFrom({ outcome, by, answer }: { [part in keyof AskEnding]?: unknown }): Ending {
  const named = typeof by === 'string' && by !== '' ? by : null;
  if (outcome === 'withdrawn' || outcome === 'expired') return { how: outcome, by: null };
  const choice = typeof answer === 'object' && answer !== null && 'choice' in answer ? answer.choice : null;
  const refused = typeof answer === 'object' && answer !== null && 'refuse' in answer;
  if (typeof choice !== 'string') return { how: refused ? 'declined' : 'answered', by: named };
  return { how: HOW[choice] ?? 'allowed', by: named };
}

const HOW: Readonly<Record<string, Ending['how']>> = {
  rule: 'allowedForGood',
  decline: 'declined',
  stop: 'declined',
};

/** `Already allowed by Ada` */
export function endingWords({ how, by }: Ending): string {
  if (how === 'withdrawn' || how === 'expired') return t(`asks.${how}`);
  return by === null ? t(`asks.${how}Before`) : t(`asks.${how}BeforeBy`, { by });
}
