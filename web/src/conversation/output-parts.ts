import type { CommandExecution } from '@tscodex/shared/items';
import { OUTPUT_HEAD } from '@tscodex/shared/limits';

/** Characters shown of a command that still runs: what matters is its newest lines. */
const LIVE = 16 * 1024;

export type OutputParts = {
  head: string;
  /** Bytes between head and tail that are not here. */
  leftOut: number;
  tail: string;
};

/** What the page holds of an output: all of it, or its two ends. */
export function outputParts(
  item: Pick<CommandExecution, 'output' | 'outputBytes' | 'truncated'>,
): OutputParts {
  const { output, outputBytes, truncated } = item;
  if (!truncated) return { head: output, leftOut: 0, tail: '' };
  const here = new TextEncoder().encode(output).length;
  return {
    head: output.slice(0, OUTPUT_HEAD),
    leftOut: Math.max(0, outputBytes - here),
    tail: output.slice(OUTPUT_HEAD),
  };
}

/** The newest lines of an output, whole ones where it has any. */
export function newestLines(output: string): string {
  if (output.length <= LIVE) return output;
  const cut = output.slice(-LIVE);
  const line = cut.indexOf('\n');
  return line < 0 ? cut : cut.slice(line + 1);
}
