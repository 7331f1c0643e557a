/**
 * What `codex exec --json` prints while it works, as our events: one for the life of a turn. Only `turn.completed` and
 * `turn.failed` end it; an `error` is a retry or a notice, also in a turn that fails afterwards.
 */
import type { EventBody, Usage } from '@tscodex/shared/events';
import type { FileChange, FileEdit, Item, Notice } from '@tscodex/shared/items';
import * as z from 'zod';
import { RetryNotice } from '../../agent/retry-notice.ts';
import type { TurnOutcome } from '../../agent/turn.ts';
import { codexItemId } from '../../session/codex-items.ts';
import { execItem, itemOfExec } from './exec-item.ts';
import { isOfOurMaking } from './own-settings.ts';
import { execErrorOf } from './turn-error.ts';

export type ExecEventPorts = {
  emit(event: EventBody): void;
  /** Which thread it works on; the first that it says. */
  thread(id: string): void;
  /** What the whole thread has used so far. */
  total(usage: Usage): void;
  /** A whole output, before the item that shows the two ends of it. */
  output(itemId: string, text: string): void;
  /** What a patch changes, which the item does not say; null while nobody knows. */
  edits(named: readonly FileEdit[]): readonly FileEdit[] | null;
  /** Where the session works. */
  cwd(): string;
  now(): string;
};

const typed = z.looseObject({ type: z.string() });
const started = z.object({ thread_id: z.string() });
const itemEvent = z.object({ item: execItem });
const message = z.object({ message: z.string() });
const failed = z.object({ error: message });
const tokens = z.object({
  input_tokens: z.number().nonnegative(),
  cached_input_tokens: z.number().nonnegative().catch(0),
  output_tokens: z.number().nonnegative(),
  reasoning_output_tokens: z.number().nonnegative().catch(0),
});
const completed = z.object({ usage: tokens.nullish().catch(undefined) });

/** `Reconnecting... 1/5 (why)`, `Reconnecting... waiting for network (why)` */
const RETRY = /^Reconnecting\.\.\. (?:(\d+)\/(\d+)|[^(]*?)(?: \(([\s\S]*)\))?$/;
const STATUS = /unexpected status (\d{3})/;

/** Under way, these are work that takes as long as it takes. */
const WORK: ReadonlySet<Item['type']> = new Set(['commandExecution', 'fileChange', 'toolCall']);

export class ExecEvents {
  /** Items under way, as they were last told of. */
  readonly #open = new Map<string, Item>();
  /** Patches of which nobody knew what they change. */
  readonly #bare: FileChange[] = [];
  readonly #retry: RetryNotice;
  readonly #told = new Set<string>();
  #retries = 0;
  /** It is told once more where the turn fails of it. */
  #error: string | null = null;
  #lastMessage: string | null = null;
  #outcome: TurnOutcome | null = null;
  #count = 0;

  constructor(
    private readonly turnId: string,
    private readonly ports: ExecEventPorts,
    /** Warnings that people have read already. */
    private readonly said: Set<string> = new Set(),
  ) {
    this.#retry = new RetryNotice(turnId, ports.emit);
  }

  /** How the turn has ended; null as long as it has not. */
  get outcome(): TurnOutcome | null {
    return this.#outcome;
  }

  /** Why its request is tried again; null while it is not. */
  get retrying(): string | null {
    return this.#retries > 0 ? this.#retryReason : null;
  }

  #retryReason = '';

  /** Whether a command, a patch or a tool is under way. */
  get working(): boolean {
    return [...this.#open.values()].some(({ type }) => WORK.has(type));
  }

  /** What is no event of Codex's is passed over; what is, and nobody knows, is told once a turn. */
  take(line: unknown): void {
    const event = typed.safeParse(line).data;
    if (!event) return;
    const { type, ...params } = event;
    const handler = Object.hasOwn(this.#handlers, type) ? this.#handlers[type] : undefined;
    if (type === 'turn.failed') this.#error = null;
    else if (type !== 'error') this.#tellError();
    if (handler?.(event) || this.#told.has(type)) return;
    this.#told.add(type);
    const text = `Codex told of ${type}, which is not known here.`;
    this.#notice('info', 'codex.unknown', text, { method: type, params });
  }

  /** What is still under way was cut. */
  end(): void {
    this.#tellError();
    this.#retry.close(this.#outcome?.status === 'completed');
    for (const item of this.#bare.splice(0)) {
      const changes = this.ports.edits(item.changes);
      if (changes) this.ports.emit({ type: 'item.completed', item: { ...item, changes: [...changes] } });
    }
    for (const item of this.#open.values()) {
      const completedAt = this.ports.now();
      this.ports.emit({ type: 'item.completed', item: { ...item, status: 'interrupted', completedAt } });
    }
    this.#open.clear();
  }

  /** Each says whether it understood. */
  readonly #handlers: Readonly<Record<string, (event: unknown) => boolean>> = {
    'thread.started': (event) => {
      const id = started.safeParse(event).data?.thread_id;
      if (id !== undefined) this.ports.thread(id);
      return id !== undefined;
    },
    'turn.started': () => true,
    'item.started': (event) => this.#item(event, false),
    'item.updated': (event) => this.#item(event, false),
    'item.completed': (event) => this.#item(event, true),
    'turn.completed': (event) => this.#completed(event),
    'turn.failed': (event) => {
      const reason = failed.safeParse(event).data?.error.message ?? null;
      this.#outcome = { status: 'failed', error: execErrorOf(reason) };
      return true;
    },
    error: (event) => {
      const text = message.safeParse(event).data?.message;
      if (text !== undefined) this.#mishap(text);
      return text !== undefined;
    },
  };

  #item(event: unknown, done: boolean): boolean {
    const item = itemEvent.safeParse(event).data?.item;
    if (!item) return false;
    if (item.type === 'error') {
      if (done) this.#warning(message.safeParse(item).data?.message ?? '');
      return true;
    }
    this.#answered();
    const now = this.ports.now();
    const before = this.#open.get(codexItemId(this.turnId, item.id));
    const place = { turnId: this.turnId, cwd: this.ports.cwd(), startedAt: before?.startedAt ?? now, now };
    const shown = itemOfExec(item, done, place);
    // it has no life of its own: each time it is all of it
    if (done || shown.type === 'plan') this.#done(shown, item.aggregated_output);
    else {
      this.#open.set(shown.id, shown);
      this.ports.emit({ type: before ? 'item.updated' : 'item.started', item: shown });
    }
    return true;
  }

  #done(item: Item, output: unknown): void {
    this.#open.delete(item.id);
    if (item.type === 'reasoning' && item.summary.join('') === '') return;
    if (item.type === 'agentMessage') this.#lastMessage = item.text;
    if (item.type === 'commandExecution' && item.truncated && typeof output === 'string')
      this.ports.output(item.id, output);
    this.ports.emit({ type: 'item.completed', item: item.type === 'fileChange' ? this.#whole(item) : item });
  }

  #whole(item: FileChange): FileChange {
    const changes = this.ports.edits(item.changes);
    if (changes) return { ...item, changes: [...changes] };
    this.#bare.push(item);
    return item;
  }

  #completed(event: unknown): boolean {
    const usage = completed.safeParse(event).data?.usage;
    this.#answered();
    this.#outcome = { status: 'completed', lastMessage: this.#lastMessage };
    if (usage)
      this.ports.total({
        inputTokens: usage.input_tokens,
        cachedInputTokens: usage.cached_input_tokens,
        outputTokens: usage.output_tokens,
        reasoningTokens: usage.reasoning_output_tokens,
        totalTokens: usage.input_tokens + usage.output_tokens,
      });
    return true;
  }

  #answered(): void {
    this.#retries = 0;
    this.#retry.close(true);
  }

  #mishap(text: string): void {
    const retry = RETRY.exec(text);
    if (!retry) {
      this.#tellError();
      this.#error = text;
      return;
    }
    this.#retries++;
    const [, attempt = `${this.#retries}`, max = attempt, why = text] = retry;
    this.#retryReason = why;
    const status = STATUS.exec(why)?.[1];
    this.#retry.show({
      ...{ type: 'retrying', attempt: Number(attempt), max: Number(max), delayMs: 0, message: why },
      ...(status === undefined ? {} : { httpStatus: Number(status) }),
    });
  }

  #tellError(): void {
    const text = this.#error;
    this.#error = null;
    if (text !== null) this.#warning(text);
  }

  #warning(text: string): void {
    // it says so with every turn
    if (text === '' || this.said.has(text) || isOfOurMaking(text)) return;
    this.said.add(text);
    this.#notice('warning', 'codex.warning', text, { message: text });
  }

  #notice(level: Notice['level'], code: string, text: string, details: Record<string, unknown>): void {
    const at = this.ports.now();
    const item: Notice = {
      ...{ id: codexItemId(this.turnId, `${code}-${this.#count++}`), type: 'notice', turnId: this.turnId },
      ...{ status: 'completed', startedAt: at, completedAt: at, level, code, text, details },
    };
    this.ports.emit({ type: 'item.completed', item });
  }
}
