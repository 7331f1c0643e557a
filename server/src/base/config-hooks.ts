/**
 * `[hooks]`: programs of the user that are told what happens. The table is Codex's too, whose own events are kept
 * for those who can use them. A broken entry is left out and named: it is no reason not to start.
 */
import * as z from 'zod';
import { LONGEST_TIMER_MS } from './config-schema.ts';

const hookEvents = ['turn.started', 'turn.completed', 'ask.opened', 'session.closed'] as const;
export type HookEvent = (typeof hookEvents)[number];

export type Hook = {
  event: HookEvent;
  /** The program and its arguments; no shell reads them. */
  command: readonly string[];
  timeoutMs: number;
};

const TIMEOUT_MS = 10_000;

const hookEntry = z.strictObject({
  command: z.array(z.string()).min(1, 'must name a program'),
  timeout_ms: z.int().positive().max(LONGEST_TIMER_MS).default(TIMEOUT_MS),
});

/** The hooks of `table` in the order they are written; `notices` names what is broken, by its key. */
export function readHooks(table: Readonly<Record<string, unknown>>): { hooks: Hook[]; notices: string[] } {
  const hooks: Hook[] = [];
  const notices: string[] = [];
  for (const event of hookEvents) {
    const entries = table[event];
    if (entries === undefined) continue;
    for (const [index, entry] of (Array.isArray(entries) ? entries : [entries]).entries()) {
      const { data, error } = hookEntry.safeParse(entry);
      if (data) hooks.push({ event, command: data.command, timeoutMs: data.timeout_ms });
      else
        notices.push(
          ...error.issues.map(
            ({ path, message }) =>
              `${['hooks', `"${event}"[${index}]`, ...path].join('.')}: ${message}: this hook is left out`,
          ),
        );
    }
  }
  return { hooks, notices };
}
