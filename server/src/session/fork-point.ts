/** Where in a conversation a fork of it leaves: at the end of its last turn that has ended, or before a message. */
import { Failure } from '../base/errors.ts';
import { isSaidByPeople } from '../base/said-by-people.ts';
import type { ConversationRecord } from './conversation-records.ts';
import { type RolloutRecord, toResponseItem, turnEventOf } from './rollout-records.ts';

export type ForkPoint = {
  /** The first record that the fork does not have. */
  at: number;
  /** A turn that goes on there: the fork ends it. */
  openTurn: string | null;
  /** Whether anybody has said anything before. */
  hasMessages: boolean;
};

/**
 * `before`: the item of a person's message. Throws `item.unknown`, `fork.noMessage`.
 */
export async function forkPoint(
  records: AsyncIterable<ConversationRecord>,
  before: string | undefined,
): Promise<ForkPoint> {
  const search = new Search(before);
  for await (const record of records) {
    const found = search.take(record);
    if (found) return found;
  }
  if (before === undefined) return search.end;
  throw new Failure('notFound', 'item.unknown', `This session has no item ${before}.`);
}

class Search {
  #turn: { id: string; at: number } | null = null;
  /** Whether something was said in the running turn. */
  #said = false;
  /** Where the newest message of a person begins, and whether its turn begins with it. */
  #message = { at: 0, opens: false };
  #hadMessage = false;
  #hasMessages = false;
  /** Behind the last record that counts. */
  #end = 0;
  /** Where a note of ours about the next message stands. */
  #noteAt: number | null = null;

  constructor(private readonly before: string | undefined) {}

  /** All of it. A turn that runs is not part of it. */
  get end(): ForkPoint {
    return { at: this.#end, openTurn: null, hasMessages: this.#hasMessages };
  }

  take({ at, record, items }: ConversationRecord): ForkPoint | null {
    const item = items.find(({ id }) => id === this.before);
    if (item && (item.type !== 'userMessage' || item.mode === 'command')) throw noMessage(item.id);
    // only Codex's own tell their item themselves; all others it follows
    const follows = !isOwnMessage(record) || record.tscodex !== undefined;
    if (item && follows) return this.#pointBefore(this.#message);
    this.#follow(at, record);
    return item ? this.#pointBefore(this.#message) : null;
  }

  #pointBefore({ at, opens }: { at: number; opens: boolean }): ForkPoint {
    const turn = this.#turn;
    if (turn && opens) return { at: turn.at, openTurn: null, hasMessages: this.#hadMessage };
    return { at, openTurn: turn?.id ?? null, hasMessages: this.#hadMessage };
  }

  #follow(at: number, record: RolloutRecord): void {
    const turn = record.type === 'event_msg' ? turnEventOf(record.payload) : undefined;
    if (turn) this.#followTurn(at, turn);
    else if (record.type === 'response_item') this.#followItem(at, record);
    if (record.type !== 'response_item') this.#noteAt = null;
    if (!turn && !this.#turn && !isAside(record)) this.#end = at + 1;
  }

  #followTurn(at: number, { type, turn_id: id }: { type: string; turn_id: string }): void {
    if (type === 'task_started') {
      // one whose end was never recorded ends here
      if (this.#turn) this.#end = at;
      this.#turn = { id, at };
      this.#said = false;
      return;
    }
    this.#turn = null;
    this.#end = at + 1;
  }

  #followItem(at: number, record: RolloutRecord): void {
    const item = toResponseItem(record.payload, record.tscodex !== undefined);
    if (typeof item === 'string') return;
    const isWords = item.type === 'message' && item.role !== 'assistant';
    if (isOwnMessage(record) && (record.tscodex?.inputId !== undefined || isSaidByPeople(item))) {
      this.#message = { at: this.#noteAt ?? at, opens: this.#turn !== null && !this.#said };
      this.#hadMessage = this.#hasMessages;
      this.#hasMessages = true;
      this.#said = true;
    } else if (!isWords) this.#said = true;
    this.#noteAt = isWords && item.role === 'developer' ? at : null;
  }
}

function isOwnMessage({ type, payload }: RolloutRecord): boolean {
  return type === 'response_item' && payload.type === 'message' && payload.role === 'user';
}

/** What tells of a session beside its turns: of commands, of settings. */
function isAside({ type, payload }: RolloutRecord): boolean {
  if (type === 'end') return true;
  return type === 'tscodex_item' && (payload.type === 'notice' || payload.mode === 'command');
}

function noMessage(id: string): Failure {
  return new Failure(
    'invalid',
    'fork.noMessage',
    `Item ${id} is no message of a person; fork before one of those.`,
  );
}
