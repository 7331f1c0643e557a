/** Finding sessions by title. Pure. */
import type { SessionSummary } from '@tscodex/shared/workspace';

/** Those whose titles hold all of the words, in whatever order and case. */
export function withWords(sessions: readonly SessionSummary[], words: string): SessionSummary[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter(({ title }) => {
    const text = (title ?? '').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
