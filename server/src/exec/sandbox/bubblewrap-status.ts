/** What bubblewrap tells about itself: one JSON object a line. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { isGone, startOf } from '../process-list.ts';

const FIRST_LOOK_MS = 2;
const LONGEST_LOOK_MS = 50;

const line = z.object({ 'child-pid': z.number().optional(), 'exit-code': z.number().optional() });

export type BubblewrapStatus = {
  /** The first process inside: when it has ended, all have. */
  inside: number | null;
  /** Whether the program was really started, and ended by itself. */
  ran: boolean;
};

/** Nothing is known where it did not get so far; of one that cannot be read it is not said that nothing has run. */
export function readStatus(file: string): BubblewrapStatus {
  const text = textOf(file);
  if (text === null) return { inside: null, ran: true };
  const told = text.split('\n').flatMap(parsed);
  return {
    inside: told.find((each) => each['child-pid'] !== undefined)?.['child-pid'] ?? null,
    ran: told.some((each) => each['exit-code'] !== undefined),
  };
}

/**
 * Resolves once nothing inside runs any more. To be called after the end of bubblewrap, which ends it: whatever has
 * its number later is another process.
 */
export async function insideGone({ inside }: BubblewrapStatus): Promise<void> {
  if (inside === null) return;
  const started = startOf(inside);
  const runs = () => !isGone(inside) && startOf(inside) === started;
  for (let wait = FIRST_LOOK_MS; runs(); wait = Math.min(2 * wait, LONGEST_LOOK_MS)) await delay(wait);
}

function parsed(text: string): z.infer<typeof line>[] {
  try {
    return [line.parse(JSON.parse(text))];
  } catch {
    return []; // empty, or it was killed while writing
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // it was not even opened
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : null;
  }
}
