/**
 * `[hooks]`: programs of the user that are told what happens. The table is Codex's too, whose own hooks are kept
 * for those who can use them. A broken entry is left out and named: it is no reason not to start.
 */
import * as z from 'zod';
import { type Fault, faultsOf } from './config-faults.ts';
import { LONGEST_TIMER_MS } from './config-schema.ts';

const hookEvents = ['turn.started', 'turn.completed', 'ask.opened', 'session.closed'] as const;
export type HookEvent = (typeof hookEvents)[number];

/** Codex's own, and where it keeps what it remembers of them. */
const CODEX_HOOKS = [
  ...[
    'PreToolUse',
    'PermissionRequest',
    'PostToolUse',
    'PreCompact',
    'PostCompact',
    'SessionStart',
    'SessionEnd',
  ],
  ...['UserPromptSubmit', 'SubagentStart', 'SubagentStop', 'Stop', 'Interrupt', 'state'],
];

/** What `[hooks]` may hold. */
export const hooksTable = z.object(
  Object.fromEntries([...hookEvents, ...CODEX_HOOKS].map((name) => [name, z.unknown()])),
);

export type Hook = {
  event: HookEvent;
  /** The program and its arguments; no shell reads them. */
  command: readonly string[];
  timeoutMs: number;
};

/** One of Codex's: a line for a shell, for some of an event's occasions. */
export type CodexHook = { event: string; matcher: string | null; command: string; timeoutMs: number | null };

export type Hooks = { hooks: readonly Hook[]; codexHooks: readonly CodexHook[] };

const TIMEOUT_MS = 10_000;

const hookEntry = z.strictObject({
  command: z.array(z.string()).min(1, 'expected a program'),
  timeout_ms: z.int().positive().max(LONGEST_TIMER_MS).default(TIMEOUT_MS),
});

/** Those whose handlers are no commands are none for us. */
const codexEntry = z.looseObject({
  matcher: z.string().nullish(),
  hooks: z.array(
    z.looseObject({
      type: z.string(),
      command: z.string().optional(),
      timeout: z.number().positive().optional(),
    }),
  ),
});

/** The hooks of the table `[hooks]`, in the order of their events; `faults`: what of it is left out. */
export function readHooks(table: unknown): Hooks & { faults: Fault[] } {
  const hooks: Hook[] = [];
  const codexHooks: CodexHook[] = [];
  const faults: Fault[] = [];
  const each = <S extends z.ZodType>(event: string, schema: S, take: (entry: z.output<S>) => void) => {
    const entries = tableOf(table)[event];
    for (const [index, entry] of (Array.isArray(entries) ? entries : [entries]).entries()) {
      const { data, error } = schema.safeParse(entry);
      if (error) faults.push(...faultsOf(error, entry, ['hooks', event, index]));
      else take(data);
    }
  };
  if (table !== undefined && tableOf(table) !== table)
    faults.push({ path: ['hooks'], reason: 'expected a table' });
  const ours = hookEvents.filter((event) => Object.hasOwn(tableOf(table), event));
  for (const event of ours)
    each(event, hookEntry, ({ command, timeout_ms }) => {
      hooks.push({ event, command, timeoutMs: timeout_ms });
    });
  // `state` is what Codex remembers of them
  const theirs = Object.keys(tableOf(table)).filter((event) => /^[A-Z]/.test(event));
  for (const event of theirs)
    each(event, codexEntry, ({ matcher, hooks: handlers }) => {
      for (const { command, timeout } of handlers)
        if (command !== undefined)
          codexHooks.push({
            ...{ event, matcher: matcher ?? null, command },
            timeoutMs: timeout === undefined ? null : timeout * 1000,
          });
    });
  return { hooks, codexHooks, faults };
}

function tableOf(value: unknown): Record<string, unknown> {
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isTable ? (value as Record<string, unknown>) : {};
}
