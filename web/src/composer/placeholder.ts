import type { SessionState } from '@tscodex/shared/session-state';
import { t } from '../messages/messages.ts';
import type { AnswerTarget } from './answer-target.ts';
import type { Mode } from './mode-choice.tsx';

/** What the empty box says: what becomes of a text typed into it now. */
export function placeholderFor(
  { status, heldBy, asks }: SessionState,
  target: AnswerTarget | null,
  mode: Mode,
): string {
  if (status === 'closed') return t('composer.closedPlaceholder');
  if (heldBy) return t('composer.heldPlaceholder');
  if (target) return t('composer.answerPlaceholder', { question: target.question.question });
  if (asks.some(({ kind }) => kind === 'question')) return t('composer.formPlaceholder');
  if (status !== 'running' && status !== 'asking') return t('composer.placeholder');
  return mode === 'steer' ? t('composer.steerPlaceholder') : t('composer.queuePlaceholder');
}
