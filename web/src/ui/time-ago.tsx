import { useEffect, useState } from 'react';
import { t } from '../messages/messages.ts';
import { fullTime } from './quantities.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago `at` was, in the fewest characters that say it. Both in milliseconds. */
export function ago(at: number, now: number): string {
  const past = Math.max(0, now - at);
  if (past < MINUTE) return t('ui.now');
  if (past < HOUR) return t('ui.minutes', { count: Math.floor(past / MINUTE) });
  if (past < DAY) return t('ui.hours', { count: Math.floor(past / HOUR) });
  return t('ui.days', { count: Math.floor(past / DAY) });
}

/** A moment (ISO 8601) as the time passed since; the moment itself, in the viewer's zone, on hover. */
export function TimeAgo({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE / 2);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={fullTime(at)}>
      {ago(Date.parse(at), now)}
    </time>
  );
}
