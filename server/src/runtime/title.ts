/** What a session is called: one line of what somebody wrote. Pure. */
import { TITLE_LIMIT } from '@tscodex/shared/limits';

/** Characters of a title that nobody chose. */
const OF_A_MESSAGE = 48;

/** null where nothing is left of it. */
export function titleOf(text: string): string | null {
  return oneLine(text, TITLE_LIMIT) || null;
}

/** Of the first message; null where it has no words. */
export function titleFrom(message: string): string | null {
  return oneLine(message, OF_A_MESSAGE) || null;
}

/** Cut between characters, never within one. */
function oneLine(text: string, limit: number): string {
  // a long text is not looked through for its beginning
  const line = text
    .trimStart()
    .slice(0, 8 * limit)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= limit) return line;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (kept.length + segment.length >= limit) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
