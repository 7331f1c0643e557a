/** Times and sizes as a person reads them. */

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const amount = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** `14:02` */
export function timeOfDay(iso: string): string {
  return clock.format(new Date(iso));
}

/** Date and time in full, for tooltips. */
export function fullTime(iso: string): string {
  return day.format(new Date(iso));
}

/** `380 ms`, `1.8 s`, `2 m 05 s`, `1 h 02 m` */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${amount.format(seconds < 10 ? seconds : Math.floor(seconds))} s`;
  const minutes = Math.floor(seconds / 60);
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  if (minutes < 60) return `${minutes} m ${two(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`;
}

/** Bytes, in steps of 1,024: `812 B`, `3.4 KiB`, `1 MiB` */
export function byteSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${amount.format(bytes / 1024)} KiB`;
  return `${amount.format(bytes / 1024 / 1024)} MiB`;
}
