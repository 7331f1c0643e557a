/**
 * Codex's paginated form, for who goes on in a file that has it: every record has its number, and what people said
 * and were answered are items. Codex refuses a file whose last record has no number.
 */
import { randomUUID } from 'node:crypto';
import { eventRecord, type RolloutRecord, turnEventOf } from './rollout-records.ts';

export class PaginatedForm {
  #next: number;
  #turnId: string;

  /** `next`: the number of the next record; `turnId`: of a turn that was left open. */
  constructor(
    private readonly threadId: string,
    next: number,
    turnId: string | null,
  ) {
    this.#next = next;
    this.#turnId = turnId ?? randomUUID();
  }

  /** The same records, to be written in this order and once. */
  of(records: readonly RolloutRecord[]): RolloutRecord[] {
    return records.map((record) => {
      const turn = record.type === 'event_msg' ? turnEventOf(record.payload) : undefined;
      if (turn) this.#turnId = turn.turn_id;
      const { timestamp, ...rest } = this.#inForm(record);
      return { timestamp, ordinal: this.#next++, ...rest };
    });
  }

  #inForm(record: RolloutRecord): RolloutRecord {
    const { type, message, phase } = record.payload;
    if (record.type !== 'event_msg') return record;
    if (type === 'user_message')
      return this.#completed({
        type: 'UserMessage',
        content: [{ type: 'text', text: message, text_elements: [] }],
      });
    if (type === 'agent_message')
      return this.#completed({
        type: 'AgentMessage',
        content: [{ type: 'Text', text: message }],
        ...(phase ? { phase } : {}),
      });
    return record;
  }

  /** Marked as ours: people are shown the item that we record ourselves. */
  #completed(item: Record<string, unknown>): RolloutRecord {
    const at = Date.now();
    const times = { started_at_ms: at, completed_at_ms: at };
    const about = { thread_id: this.threadId, turn_id: this.#turnId };
    const whole = { ...about, item: { ...item, id: randomUUID() }, ...times };
    return { ...eventRecord('item_completed', whole), tscodex: {} };
  }
}
