import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { t } from '../messages/messages.ts';
import type { Waiting } from './waiting.ts';
import { newsOf } from './words.ts';

/**
 * Tells those who do not see it what has begun to wait: not what did before the page knew of anything. A session on
 * show says so itself.
 */
export function InboxNews({ waiting }: { waiting: readonly Waiting[] | null }) {
  const [search] = useSearchParams();
  const shown = search.get('session');
  const [news, setNews] = useState<{ known: ReadonlySet<string> | null; said: readonly Waiting[] }>({
    known: null,
    said: [],
  });
  useEffect(() => {
    if (waiting === null) return;
    setNews(({ known, said }) => {
      const fresh = waiting.filter(({ key, session }) => known && !known.has(key) && session.id !== shown);
      return { known: new Set(waiting.map(({ key }) => key)), said: fresh.length > 0 ? fresh : said };
    });
  }, [waiting, shown]);
  const [only] = news.said;
  return (
    <p className="visually-hidden" aria-live="polite">
      {only && (
        <span key={only.key}>
          {news.said.length === 1 ? newsOf(only) : t('inbox.newMany', { count: news.said.length })}
        </span>
      )}
    </p>
  );
}
