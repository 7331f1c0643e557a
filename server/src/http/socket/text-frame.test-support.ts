/** The text in one whole frame of a server. */
export function textOf(frame: Buffer): string {
  const length = frame[1] ?? 0;
  return frame.subarray(length < 126 ? 2 : length === 126 ? 4 : 10).toString();
}
