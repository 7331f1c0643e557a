import { useEffect, useState } from 'react';
import styles from './status-pill.module.css';

/** Minutes and seconds since an instant, ticking. */
export function Clock({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className={styles.clock} aria-hidden="true">
      {elapsed(now - Date.parse(since))}
    </span>
  );
}

/** `0:41`, `12:05`, `1:00:00`. A clock of the server that is ahead of ours counts as now. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number) => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
