import { useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import styles from './results.module.css';

/** Asks for the next page before one is at the end of this one; after a failure, by a button. */
export function ListEnd(props: { onNear: () => void; problem: string | null }) {
  const { onNear, problem } = props;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!end.current || problem !== null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onNear(),
      { root: end.current.parentElement, rootMargin: '600px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [onNear, problem]);
  return (
    <div ref={end} className={styles.end}>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {t('catalog.notListed', { reason: problem })} <Button onClick={onNear}>{t('ui.tryAgain')}</Button>
        </p>
      )}
    </div>
  );
}
