/** Milliseconds since 1970 with microseconds behind the point: comparable between processes of one machine. */
export function epochMs() {
  return performance.timeOrigin + performance.now();
}
