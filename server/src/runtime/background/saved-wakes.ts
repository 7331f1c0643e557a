/** What of a session's wakes is kept over a restart, which ends the commands themselves. */
import type { BackgroundCommand } from '@tscodex/shared/events';
import type { Item } from '@tscodex/shared/items';
import * as z from 'zod';
import { Failure } from '../../base/errors.ts';
import type { BackgroundEnd } from '../../exec/running-process.ts';

const savedEnd = z.object({
  processId: z.string(),
  itemId: z.string(),
  command: z.string(),
  /** How it has ended; null: it runs. */
  exit: z
    .object({ exitCode: z.number().nullable(), signal: z.string().nullable(), reason: z.string().nullable() })
    .nullable(),
});

export const savedWakes = z.object({
  /** Those that the agent has left running, and ends that it has not been told of. */
  commands: z.array(savedEnd),
  /** Nothing starts a turn until somebody writes. */
  held: z.boolean(),
  /** Turns in a row that nobody has asked for. */
  inRow: z.number(),
});
export type SavedWakes = z.infer<typeof savedWakes>;

export const NO_WAKES: SavedWakes = { commands: [], held: false, inRow: 0 };

export function savedEnds(running: readonly BackgroundCommand[], ended: readonly BackgroundEnd[]) {
  const known = new Set(ended.map(({ itemId }) => itemId));
  return [
    ...ended.map(({ processId, itemId, command, exit: { exitCode, signal, failure } }) => {
      return { processId, itemId, command, exit: { exitCode, signal, reason: failure?.message ?? null } };
    }),
    ...running
      .filter(({ itemId }) => !known.has(itemId))
      .map(({ processId, itemId, command }) => ({ processId, itemId, command, exit: null })),
  ];
}

/** After a restart. What `items` tell of is no news: the file may know more than what was saved beside it. */
export function endsOf({ commands }: SavedWakes, items: readonly Item[]): BackgroundEnd[] {
  const told = new Set(
    items.flatMap((item) =>
      item.type === 'notice' && item.code === 'wake.command' ? [item.details?.itemId] : [],
    ),
  );
  return commands
    .filter(({ itemId }) => !told.has(itemId))
    .map(({ exit, ...command }) => ({ ...command, read: false, exit: exitOf(exit) }));
}

function exitOf(exit: SavedWakes['commands'][number]['exit']): BackgroundEnd['exit'] {
  if (exit === null) return { exitCode: null, signal: null, failure: ended(RESTARTED) };
  const { reason, ...how } = exit;
  return reason === null ? how : { ...how, failure: ended(reason) };
}

const RESTARTED = 'a restart of the server has ended it';

function ended(reason: string): Failure {
  return new Failure('unavailable', 'exec.ended', reason);
}
