/** Whether the model has answered: a command that runs beside it talks on, and ends, however its provider is. */
import * as z from 'zod';
import type { Notification } from './codex-events.ts';

/** What comes of an answer by pieces, of the tools that have no item, and at its end. */
const PIECES =
  /^(item\/(agentMessage|reasoning|plan|commandExecution\/terminalInteraction)\b|turn\/plan\/|thread\/tokenUsage\/)/;
/** Their items begin with what people say, and before the request. */
const BEFORE: ReadonlySet<string> = new Set(['userMessage', 'contextCompaction']);
/** Their items end with the answer, and not with what was done after it. */
const SAID: ReadonlySet<string> = new Set(['agentMessage', 'reasoning', 'plan', 'contextCompaction']);

const about = z.object({ item: z.object({ type: z.string() }) });

/** Whether Codex tells of something that the model has just done. */
export function isOfModel({ method, params }: Notification): boolean {
  if (method !== 'item/started' && method !== 'item/completed') return PIECES.test(method);
  const type = about.safeParse(params).data?.item.type;
  if (type === undefined) return false;
  return method === 'item/started' ? !BEFORE.has(type) : SAID.has(type);
}
