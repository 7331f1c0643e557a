import { spoken } from '../messages/spoken.ts';
import { fullTime } from '../ui/quantities.ts';
import { TimeAgo } from '../ui/time-ago.tsx';

const WEEK_MS = 7 * 24 * 60 * 60_000;

/** How long ago it was as long as one counts that in days; then the day. */
export function Age({ at }: { at: string }) {
  if (Date.now() - Date.parse(at) < WEEK_MS) return <TimeAgo at={at} />;
  return (
    <time dateTime={at} title={fullTime(at)}>
      {spoken().formats.day.format(new Date(at))}
    </time>
  );
}
