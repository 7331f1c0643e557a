/** What somebody last said in a session, to be said again in other words. Pure. */
import type { SessionState } from '@tscodex/shared/session-state';

/** null where there is none with words. `author`: how the server calls whoever asks. */
export function lastMessage({ items }: Pick<SessionState, 'items'>, author: string | null): string | null {
  const own = items.findLast(
    (item) => item.type === 'userMessage' && item.author === author && item.text.trim() !== '',
  );
  return own?.type === 'userMessage' ? own.text : null;
}
