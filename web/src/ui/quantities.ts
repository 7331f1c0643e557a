/** Times and sizes as a person reads them. */
import { t } from '../messages/messages.ts';
import { spoken } from '../messages/spoken.ts';

/** `14:02` */
export function timeOfDay(iso: string): string {
  return spoken().formats.timeOfDay.format(new Date(iso));
}

/** `14:02` today, `Jan 3, 14:02` on another day. */
export function dayAndTime(iso: string): string {
  const { timeOfDay, day } = spoken().formats;
  const date = new Date(iso);
  const time = timeOfDay.format(date);
  return date.toDateString() === new Date().toDateString() ? time : `${day.format(date)} ${time}`;
}

/** Date and time in full, for tooltips. */
export function fullTime(iso: string): string {
  return spoken().formats.fullTime.format(new Date(iso));
}

/** `380 ms`, `1.8 s`, `2 m 05 s`, `1 h 02 m` */
export function duration(time: number): string {
  const seconds = Math.max(0, time) / 1000;
  if (seconds < 1) return t('ui.lastsMilliseconds', { ms: Math.round(seconds * 1000) });
  if (seconds < 60) {
    return t('ui.lastsSeconds', { s: rounded(seconds < 10 ? seconds : Math.floor(seconds)) });
  }
  const minutes = Math.floor(seconds / 60);
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  if (minutes < 60) return t('ui.lastsMinutes', { m: minutes, s: two(seconds % 60) });
  return t('ui.lastsHours', { h: Math.floor(minutes / 60), m: two(minutes % 60) });
}

/** Bytes, in steps of 1,024: `812 B`, `3.4 KiB`, `1 MiB` */
export function byteSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${rounded(bytes / 1024)} KiB`;
  return `${rounded(bytes / 1024 / 1024)} MiB`;
}

function rounded(amount: number): string {
  return spoken().formats.rounded.format(amount);
}
