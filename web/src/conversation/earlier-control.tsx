import { useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import styles from './conversation.module.css';

/** How far above the view it may be when it starts to load by itself. */
const AHEAD = '400px';

/** Loads what came before: by itself when the reader comes near, or when asked. */
export function EarlierControl(props: { loading: boolean; problem: string | null; load: () => void }) {
  const { loading, problem, load } = props;
  const control = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = control.current;
    // after a failure only when asked: a server in trouble is not called again and again
    if (!element || problem) return;
    const near = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) load();
      },
      { root: element.closest('[role="log"]'), rootMargin: `${AHEAD} 0px 0px` },
    );
    near.observe(element);
    return () => near.disconnect();
  }, [load, problem]);
  return (
    <div ref={control} className={styles.earlier}>
      {problem && <p role="alert">{t('conversation.earlierFailed', { reason: problem })}</p>}
      <Button look="quiet" disabled={loading} onClick={load}>
        {t(loading ? 'conversation.loadingEarlier' : 'conversation.loadEarlier')}
      </Button>
    </div>
  );
}
