import { NAME_LIMIT } from '@tscodex/shared/limits';
import { t } from '../messages/messages.ts';

/** What keeps a text from being a name, in the page's language; null when nothing does. The server has the last word. */
export function nameProblem(text: string): string | null {
  if (text.trim().length > NAME_LIMIT) return t('people.tooLong', { limit: NAME_LIMIT });
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/u.test(text.trim()) ? t('people.invisible') : null;
}
