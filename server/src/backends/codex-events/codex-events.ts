/**
 * What Codex's app-server tells while it works, as our events: one for the life of a turn. What nobody knows becomes a
 * notice with all that it says, never nothing.
 */
import type { EventBody, TurnError, Usage } from '@tscodex/shared/events';
import type { Item, Notice } from '@tscodex/shared/items';
import { grow } from '@tscodex/shared/session-state';
import * as z from 'zod';
import { RetryNotice } from '../../agent/retry-notice.ts';
import type { TurnOutcome } from '../../agent/turn.ts';
import { codexItemId } from '../../session/codex-items.ts';
import { isOfModel } from './of-model.ts';
import { isOfOurMaking } from './own-settings.ts';
import { itemOf, threadItem } from './thread-item.ts';
import { retryOf, turnErrorOf } from './turn-error.ts';

export type Notification = { method: string; params: unknown };

export type CodexEventPorts = {
  emit(event: EventBody): void;
  /** A request to the model was answered. */
  used(usage: Usage): void;
  /** A message of a person has become part of the conversation. */
  said(inputId: string): void;
  /** A whole output, before the item that shows the two ends of it. */
  output(itemId: string, text: string): void;
  now(): string;
};

/** What is about the thread or the account, and shows otherwise or not at all. */
const SILENT = new Set(
  `thread/started thread/status/changed thread/goal/cleared thread/goal/updated thread/readState/changed
  thread/name/updated thread/settings/updated thread/closed thread/compacted turn/started turn/diff/updated
  account/rateLimits/updated account/updated remoteControl/status/changed serverRequest/resolved rawResponseItem/completed
  item/commandExecution/terminalInteraction item/fileChange/outputDelta item/fileChange/patchUpdated
  item/mcpToolCall/progress item/plan/delta skills/changed app/list/updated hook/started hook/completed`.split(
    /\s+/,
  ),
);

const delta = z.object({ turnId: z.string(), itemId: z.string(), delta: z.string() });
const itemEvent = z.object({ turnId: z.string(), item: threadItem });
const planStep = z.object({ step: z.string(), status: z.enum(['pending', 'inProgress', 'completed']) });
const planEvent = z.object({
  turnId: z.string(),
  explanation: z.string().nullish().catch(undefined),
  plan: z.array(planStep),
});
const tokens = z.object({
  inputTokens: z.number(),
  cachedInputTokens: z.number().catch(0),
  outputTokens: z.number(),
  reasoningOutputTokens: z.number().catch(0),
  totalTokens: z.number(),
});
const usageEvent = z.object({ tokenUsage: z.object({ last: tokens, total: tokens }) });
const errorEvent = z.object({ error: z.unknown().optional(), willRetry: z.boolean().catch(false) });
const completed = z.object({
  turn: z.object({ id: z.string(), status: z.string(), error: z.unknown().optional() }),
});
const words = z.union([
  z.object({ message: z.string() }).transform(({ message }) => message),
  z
    .object({ summary: z.string(), details: z.string().nullish() })
    .transform(({ summary, details }) => (details ? `${summary}: ${details}` : summary)),
]);
const startup = z.object({ name: z.string(), status: z.string(), error: z.string().nullish() });

export class CodexEvents {
  /** Items under way, as they were last told of. */
  readonly #open: Map<string, Item>;
  readonly #retry: RetryNotice;
  readonly #told = new Set<string>();
  /** Of the thread, as it was last told; it is told again where nothing has changed. */
  #total = -1;
  #lastMessage: string | null = null;
  #outcome: TurnOutcome | null = null;

  constructor(
    private readonly turnId: string,
    private readonly ports: CodexEventPorts,
    /** What earlier turns have left running. */
    left: ReadonlyMap<string, Item> = new Map(),
    /** Warnings that people have read already. */
    private readonly said: Set<string> = new Set(),
  ) {
    this.#open = new Map(left);
    this.#retry = new RetryNotice(turnId, ports.emit);
  }

  /** How the turn has ended; null as long as it has not. */
  get outcome(): TurnOutcome | null {
    return this.#outcome;
  }

  /** Once the turn has ended: the commands that outlive it. */
  get left(): ReadonlyMap<string, Item> {
    return this.#open;
  }

  /** An item under way, by Codex's ids. */
  item(codexTurn: string, itemId: string): Item | undefined {
    return this.#open.get(codexItemId(codexTurn, itemId));
  }

  take(notification: Notification): void {
    const { method, params } = notification;
    if (isOfModel(notification)) this.#retry.close(true);
    const handler = this.#handlers[method];
    if (SILENT.has(method) || handler?.(params)) return;
    // once a turn: what comes with every piece would flood it
    if (this.#told.has(method)) return;
    this.#told.add(method);
    this.notice('info', 'codex.unknown', `Codex told of ${method}, which is not known here.`, {
      ...{ method, params },
    });
  }

  /** What Codex has no item for; while it is under way it is cut with the turn. */
  show(item: Item): void {
    if (item.status === 'inProgress') this.#begin(item);
    else this.#itemDone(item, undefined);
  }

  /** What is still under way was cut, but for commands where these go on. */
  end(commandsGoOn: boolean): void {
    this.#retry.close(this.#outcome?.status === 'completed');
    this.#cut(({ type }) => !commandsGoOn || type !== 'commandExecution');
  }

  #cut(which: (item: Item) => boolean): void {
    for (const item of [...this.#open.values()].filter(which)) {
      this.#open.delete(item.id);
      const completedAt = this.ports.now();
      this.ports.emit({ type: 'item.completed', item: { ...item, status: 'interrupted', completedAt } });
    }
  }

  /** Each says whether it understood. */
  readonly #handlers: Readonly<Record<string, ((params: unknown) => boolean) | undefined>> = {
    'item/started': (params) => this.#item(params, false),
    'item/completed': (params) => this.#item(params, true),
    'item/agentMessage/delta': (params) => this.#delta(params),
    'item/reasoning/textDelta': (params) => this.#delta(params),
    'item/reasoning/summaryPartAdded': (params) => this.#delta(params, 'summaryPart'),
    'item/reasoning/summaryTextDelta': (params) => this.#delta(params, 'summary'),
    'item/commandExecution/outputDelta': (params) => this.#delta(params, 'output'),
    'turn/plan/updated': (params) => this.#plan(params),
    'thread/tokenUsage/updated': (params) => this.#usage(params),
    error: (params) => this.#error(params),
    'turn/completed': (params) => this.#completed(params),
    warning: (params) => this.#warning(params),
    configWarning: (params) => this.#warning(params),
    deprecationNotice: (params) => this.#warning(params),
    'mcpServer/startupStatus/updated': (params) => this.#startup(params),
  };

  #item(params: unknown, done: boolean): boolean {
    const event = itemEvent.safeParse(params).data;
    if (!event) return false;
    const place = { turnId: this.turnId, codexTurn: event.turnId, at: this.ports.now() };
    const item = itemOf(event.item, done, place);
    // it gives up what it was about to say for what a person says
    if (item.type === 'userMessage') this.#cut(({ type }) => type === 'agentMessage' || type === 'reasoning');
    if (item.type === 'userMessage' && event.item.clientId) {
      // shown by whoever sent it, with what Codex does not know of it
      if (done) this.ports.said(item.inputId);
      return true;
    }
    if (done) this.#itemDone(item, event.item.aggregatedOutput);
    // one without words is no thought yet
    else if (item.type !== 'reasoning' || item.summary.length > 0) this.#begin(item);
    else this.#open.set(item.id, item);
    return true;
  }

  #begin(item: Item): void {
    this.#open.set(item.id, item);
    this.ports.emit({ type: 'item.started', item });
  }

  #itemDone(item: Item, output: unknown): void {
    this.#open.delete(item.id);
    if (item.type === 'reasoning' && item.summary.length === 0 && !item.text) return;
    if (item.type === 'agentMessage') this.#lastMessage = item.text;
    if (item.type === 'commandExecution' && item.truncated && typeof output === 'string')
      this.ports.output(item.id, output);
    this.ports.emit({ type: 'item.completed', item });
  }

  #delta(params: unknown, field?: 'output' | 'summary' | 'summaryPart'): boolean {
    const event = delta.safeParse({ delta: '', ...(params as object) }).data;
    if (!event) return false;
    const itemId = codexItemId(event.turnId, event.itemId);
    const item = this.#open.get(itemId);
    if (item?.type === 'reasoning' && !this.#told.has(itemId)) {
      this.#told.add(itemId);
      this.#begin(item);
    }
    const grown = { type: 'item.delta' as const, itemId, delta: event.delta, ...(field ? { field } : {}) };
    if (item) this.#open.set(itemId, grow(item, grown));
    this.ports.emit(grown);
    return true;
  }

  #plan(params: unknown): boolean {
    const event = planEvent.safeParse(params).data;
    if (!event) return false;
    const at = this.ports.now();
    const item: Item = {
      ...{ id: codexItemId(event.turnId, 'plan'), type: 'plan', turnId: this.turnId, status: 'completed' },
      ...{ startedAt: at, completedAt: at, steps: event.plan },
      ...(event.explanation ? { explanation: event.explanation } : {}),
    };
    this.ports.emit({ type: 'item.completed', item });
    return true;
  }

  #usage(params: unknown): boolean {
    const event = usageEvent.safeParse(params).data;
    if (!event) return false;
    const { last, total } = event.tokenUsage;
    if (total.totalTokens === this.#total) return true;
    this.#total = total.totalTokens;
    const { reasoningOutputTokens: reasoningTokens, ...rest } = last;
    this.ports.used({ ...rest, reasoningTokens });
    return true;
  }

  #error(params: unknown): boolean {
    const event = errorEvent.safeParse(params).data;
    if (!event) return false;
    // one that is not tried again comes once more, as the end of the turn
    if (!event.willRetry) return true;
    this.#cut(({ type }) => type === 'agentMessage' || type === 'reasoning');
    this.#retry.show(retryOf(event.error));
    return true;
  }

  #completed(params: unknown): boolean {
    const event = completed.safeParse(params).data;
    if (!event) return false;
    const { status, error } = event.turn;
    if (status === 'completed') this.#outcome = { status, lastMessage: this.#lastMessage };
    else if (status === 'interrupted') this.#outcome = { status };
    else this.#outcome = { status: 'failed', error: turnErrorOf(error) satisfies TurnError };
    return true;
  }

  #warning(params: unknown): boolean {
    const text = words.safeParse(params).data;
    if (text === undefined) return false;
    // it says so again and again
    if (this.said.has(text) || isOfOurMaking(text)) return true;
    this.said.add(text);
    this.notice('warning', 'codex.warning', text, { message: text });
    return true;
  }

  #startup(params: unknown): boolean {
    const event = startup.safeParse(params).data;
    if (!event) return false;
    const { name, status, error } = event;
    if (status === 'failed') {
      const text = `Codex could not start the MCP server ${name}: ${error || 'it did not say why'}.`;
      this.notice('warning', 'codex.mcp', text, { name, ...(error ? { reason: error } : {}) });
    }
    return true;
  }

  notice(level: Notice['level'], code: string, text: string, details: Record<string, unknown>): void {
    const at = this.ports.now();
    const id = codexItemId(this.turnId, `${code}-${this.#count++}`);
    const item: Notice = {
      ...{ id, type: 'notice', turnId: this.turnId, status: 'completed' },
      ...{ startedAt: at, completedAt: at, level, code, text, details },
    };
    this.ports.emit({ type: 'item.completed', item });
  }

  #count = 0;
}
