/** What a notification says: who and what, never what was said. It may lie on a locked screen. */
import { t } from '../messages/messages.ts';
import type { News } from './news.ts';

export function titleOf({ session }: News): string {
  return session.title ?? t('sessions.untitled');
}

export function bodyOf(news: News): string {
  return t('notifications.body', { what: whatOf(news), workspace: news.workspace.name });
}

function whatOf({ kind, ask }: News): string {
  if (kind === 'done') return t('notifications.saysDone');
  if (kind === 'failed') return t('notifications.saysFailed');
  return t(ask?.kind === 'question' ? 'notifications.saysQuestion' : 'notifications.saysApproval');
}
