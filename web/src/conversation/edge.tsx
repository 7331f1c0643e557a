import { useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import styles from './edge.module.css';

/** How far out of view it may be when it starts to load. */
const AHEAD = '1000px';

const words = {
  older: { loading: 'conversation.loadingEarlier', failed: 'conversation.earlierFailed' },
  newer: { loading: 'conversation.loadingLater', failed: 'conversation.laterFailed' },
} as const;

/** Where what is loaded ends and the conversation goes on: more comes when the reader comes near. */
export function Edge(props: {
  to: 'older' | 'newer';
  loading: boolean;
  problem: string | null;
  load: () => void;
}) {
  const { to, loading, problem, load } = props;
  const edge = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = edge.current;
    // after a failure only when asked: a server in trouble is not called again and again
    if (!element || problem) return;
    const near = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) load();
      },
      { root: element.closest('[role="log"]'), rootMargin: `${AHEAD} 0px` },
    );
    near.observe(element);
    return () => near.disconnect();
  }, [load, problem]);
  return (
    <div ref={edge} className={styles.edge} data-edge>
      {loading && <span>{t(words[to].loading)}</span>}
      {problem !== null && !loading && (
        <>
          <span role="alert">{t(words[to].failed, { reason: problem })}</span>
          <Button look="quiet" onClick={load}>
            {t('ui.tryAgain')}
          </Button>
        </>
      )}
    </div>
  );
}
