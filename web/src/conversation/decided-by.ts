import type { Decision } from '@tscodex/shared/items';
import { t } from '../messages/messages.ts';

/** Who allowed or declined it; nothing where nobody was asked, or nobody gave a name. */
export function decidedBy(decision: Decision | undefined): string {
  if (!decision?.by) return '';
  const { by } = decision;
  return t(decision.choice === 'decline' ? 'conversation.declinedBy' : 'conversation.allowedBy', { by });
}
