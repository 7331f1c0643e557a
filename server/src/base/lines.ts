/** The lines that another program says, each whole; one that is too long is passed over, and its beginning forgotten. */
import type { Readable } from 'node:stream';

/** Characters. */
const LINE_LIMIT = 64 * 1024 * 1024;

/** Empty lines are not told. Neither `take` nor `tooLong` may throw. */
export function readLines(
  from: Readable,
  take: (line: string) => void,
  limit: number = LINE_LIMIT,
  tooLong: () => void = () => undefined,
): void {
  let rest: string[] = [];
  let length = 0;
  from.setEncoding('utf8');
  from.on('data', (chunk: string) => {
    const lines = chunk.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      const isTooLong = length + line.length > limit;
      const whole = isTooLong ? '' : rest.join('') + line;
      rest = [];
      length = 0;
      if (isTooLong) tooLong();
      else if (whole.trim() !== '') take(whole);
    }
    length += last.length;
    if (length > limit) rest = [];
    else rest.push(last);
  });
}

/** null for what is no JSON. */
export function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
