/** How a session fares, as its line in the list shows it. Pure. */
import type { SessionSummary } from '@tscodex/shared/workspace';
import { t } from '../messages/messages.ts';
import type { Tone } from '../ui/status-dot.tsx';

export type Mark = {
  tone: Tone;
  /** The same in words. Empty: there is nothing to say. */
  words: string;
  /** Shown at the end of the line in place of the time of the last activity. */
  short: string | null;
};

/** What needs a person comes first, then what works, what is new. A pause is lifted by a person, too. */
export function markOf(session: SessionSummary, unread: boolean): Mark {
  if (session.problem !== undefined) return { tone: 'error', words: t('sessions.broken'), short: null };
  if (session.asks.length > 0 || session.status === 'asking')
    return { tone: 'asking', words: t('sessions.asking'), short: t('sessions.asks') };
  if (session.status === 'stopping')
    return { tone: 'running', words: t('sessions.stopping'), short: t('sessions.stopping') };
  if (session.status === 'running')
    return { tone: 'running', words: t('sessions.running'), short: t('sessions.running') };
  if (session.status === 'paused')
    return { tone: 'asking', words: t('sessions.paused'), short: t('sessions.paused') };
  if (unread) return { tone: 'fresh', words: t('sessions.unread'), short: t('sessions.unread') };
  if (session.status === 'sleeping') return { tone: 'sleeping', words: t('sessions.sleeping'), short: null };
  return { tone: 'quiet', words: '', short: null };
}
