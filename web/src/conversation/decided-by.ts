import type { Decision } from '@tscodex/shared/items';
import { t } from '../messages/messages.ts';

/** Who allowed or declined it, and why; nothing where nobody was asked, or nobody gave a name or a reason. */
export function decidedBy(decision: Decision | undefined): string {
  const { by, choice, reason } = decision ?? {};
  const declined = choice === 'decline';
  if (!by) return reason ? t('conversation.because', { decision: t('conversation.declined'), reason }) : '';
  const words = t(declined ? 'conversation.declinedBy' : 'conversation.allowedBy', { by });
  return reason ? t('conversation.because', { decision: words, reason }) : words;
}
