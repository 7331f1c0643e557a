import type { Decision } from '@tscodex/shared/items';
import { t } from '../messages/messages.ts';

/** Who allowed or declined it, and why; nothing where nobody was asked, or nobody gave a name or a reason. */
export function decidedBy(decision: Decision | undefined): string {
  const { by, choice, reason, rule } = decision ?? {};
  if (choice === 'rule' && rule) return forGood(by ?? null, rule.join(' '));
  if (!by) return reason ? t('conversation.because', { decision: t('conversation.declined'), reason }) : '';
  const words = t(choice === undefined ? 'conversation.allowedBy' : DECIDED[choice], { by });
  return reason ? t('conversation.because', { decision: words, reason }) : words;
}

const DECIDED = {
  once: 'conversation.allowedBy',
  session: 'conversation.allowedFor.sessionBy',
  rule: 'conversation.allowedForGoodBy',
  decline: 'conversation.declinedBy',
  stop: 'conversation.stoppedBy',
} as const;

function forGood(by: string | null, rule: string): string {
  const decision = by ? t('conversation.allowedForGoodBy', { by }) : t('conversation.allowedForGood');
  return t('conversation.byRule', { decision, rule });
}
