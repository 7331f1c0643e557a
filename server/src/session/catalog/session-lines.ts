/**
 * Which lines of a session's file the catalogue has no use for: outputs of commands are most of a long one. Told by
 * how Codex and this program begin a line; what begins otherwise is read.
 */

/** Enough for what stands before the words. */
const HEAD_BYTES = 600;

const HEAD =
  /^\{"timestamp":"([^"]{1,40})",(?:"ordinal":\d+,)?"type":"(\w+)","payload":\{(?:"id":"[^"]{1,100}",)?(?:"type":"(\w+)")?/;
const ITEM = /"item":\{"type":"(\w+)"/;

const READ_ITEMS = ['userMessage', 'agentMessage'];
const READ_CODEX_ITEMS = ['UserMessage', 'AgentMessage'];
const SKIPPED_EVENTS = ['user_message', 'agent_message', 'agent_reasoning'];
const SKIPPED_RECORDS = ['compacted', 'world_state', 'token_usage_record', 'retained_context'];

/** `timestamp`: null where that is not known, or is no sign of work. */
export type LineHead = { timestamp: string | null; skipped: boolean };

export function headOf(line: Buffer): LineHead {
  const head = line.toString('latin1', 0, HEAD_BYTES);
  const found = HEAD.exec(head);
  if (!found) return { timestamp: null, skipped: false };
  const [, timestamp = null, record = '', kind] = found;
  return { timestamp: isAside(record, kind) ? null : timestamp, skipped: isSkipped(record, kind, head) };
}

/** A session that somebody has only opened tells how it stands. */
function isAside(record: string, kind: string | undefined): boolean {
  return record === 'tscodex_item' && kind === 'notice';
}

function isSkipped(record: string, kind: string | undefined, head: string): boolean {
  if (SKIPPED_RECORDS.includes(record)) return true;
  if (kind === undefined) return false;
  if (record === 'response_item') return kind !== 'message';
  if (record === 'tscodex_item') return !READ_ITEMS.includes(kind);
  if (record !== 'event_msg') return false;
  if (kind !== 'item_completed') return SKIPPED_EVENTS.includes(kind);
  const item = ITEM.exec(head)?.[1];
  return item !== undefined && !READ_CODEX_ITEMS.includes(item);
}
