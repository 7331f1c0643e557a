/** The messages and reasoning of an answer that is streaming: shown at once, completed when the answer is whole. */
import type { EventBody } from '@tscodex/shared/events';
import type { AgentMessage, Reasoning } from '@tscodex/shared/items';
import { v7 as uuid } from 'uuid';
import { type MessageItem, type ReasoningItem, type ResponseItem, textOf } from '../base/response-items.ts';

type Live = AgentMessage | Reasoning;

/** What the items of an attempt that failed are called until those of the next take their places. */
const RETRY = 'retry ';

export class LiveItems {
  /** By the provider's id, in the order they appeared. */
  readonly #items = new Map<string, Live>();
  /** Of those, the ones that are whole. */
  readonly #whole = new Set<string>();

  constructor(
    private readonly turnId: string,
    private readonly emit: (event: EventBody) => void,
  ) {}

  text(providerId: string, delta: string): void {
    if (delta === '') return;
    const item = this.#message(providerId);
    item.text += delta;
    this.emit({ type: 'item.delta', itemId: item.id, delta });
  }

  reasoning(providerId: string, part: 'summary' | 'text', delta: string, newPart: boolean): void {
    const item = this.#reasoning(providerId);
    if (part === 'text') {
      item.text = (item.text ?? '') + delta;
      this.emit({ type: 'item.delta', itemId: item.id, delta, field: 'text' });
    } else if (newPart || item.summary.length === 0) {
      item.summary = [...item.summary, delta];
      this.emit({ type: 'item.delta', itemId: item.id, delta, field: 'summaryPart' });
    } else {
      item.summary = item.summary.with(-1, item.summary.at(-1) + delta);
      this.emit({ type: 'item.delta', itemId: item.id, delta, field: 'summary' });
    }
  }

  /** The provider's item is whole: what it holds replaces what was pieced together. */
  whole(item: ResponseItem): void {
    if (item.type === 'message' && item.role === 'assistant') this.#wholeMessage(item);
    if (item.type === 'reasoning') this.#wholeReasoning(item);
  }

  /** The answer is whole. Messages of one that goes on with calls are commentary. */
  complete(goesOn: boolean): void {
    this.#close('completed', goesOn);
  }

  /** The answer will not become whole: what was shown of it stays, marked as such. */
  abandon(status: 'interrupted' | 'failed'): void {
    this.#close(status, true);
  }

  /** Another attempt follows: the items stay and are filled anew. */
  discard(): void {
    for (const item of this.#items.values()) {
      if (item.type === 'agentMessage') item.text = '';
      else Object.assign(item, { summary: [], text: undefined });
      this.emit({ type: 'item.updated', item: { ...item } });
    }
    // the next attempt has new ids; its first items take the places of these
    const open = [...this.#items.values()];
    this.#items.clear();
    this.#whole.clear();
    for (const [i, item] of open.entries()) this.#items.set(`${RETRY}${i}`, item);
  }

  #close(status: Live['status'], commentary: boolean): void {
    const completedAt = new Date().toISOString();
    for (const item of this.#items.values()) {
      if (item.type === 'agentMessage') item.phase ??= commentary ? 'commentary' : 'final';
      this.emit({ type: 'item.completed', item: { ...item, status, completedAt } });
    }
    this.#items.clear();
  }

  #wholeMessage(message: MessageItem): void {
    const text = textOf(message);
    if (text === '' && !this.#items.has(message.id ?? '')) return;
    const item = this.#message(this.#end(message.id, 'agentMessage'));
    item.text = text;
    if (message.phase === 'commentary') item.phase = 'commentary';
    if (message.phase === 'final_answer') item.phase = 'final';
  }

  #wholeReasoning(item: ReasoningItem): void {
    const summary = item.summary.map((part) => part.text);
    const text = item.content?.map((part) => part.text).join('') ?? '';
    // encrypted reasoning alone has nothing to show
    if (!summary.length && !text) return;
    Object.assign(this.#reasoning(this.#end(item.id, 'reasoning')), { summary, ...(text ? { text } : {}) });
  }

  /** Some servers call an item otherwise at its end than while it streamed: then it is the one without an end. */
  #end(providerId: string | undefined, type: Live['type']): string {
    const open = [...this.#items].find(
      ([key, item]) => item.type === type && !this.#whole.has(key) && !key.startsWith(RETRY),
    );
    const known = providerId !== undefined && this.#items.has(providerId);
    const key = known ? providerId : (open?.[0] ?? providerId ?? uuid());
    this.#whole.add(key);
    return key;
  }

  #message(providerId: string): AgentMessage {
    return this.#find(providerId, 'agentMessage', () => ({
      ...this.#fresh(),
      type: 'agentMessage',
      text: '',
    }));
  }

  #reasoning(providerId: string): Reasoning {
    return this.#find(providerId, 'reasoning', () => ({ ...this.#fresh(), type: 'reasoning', summary: [] }));
  }

  #find<T extends Live>(providerId: string, type: T['type'], create: () => T): T {
    const known = this.#items.get(providerId);
    if (known?.type === type) return known as T;
    const [place, left] =
      [...this.#items].find(([key, item]) => key.startsWith(RETRY) && item.type === type) ?? [];
    if (place !== undefined) this.#items.delete(place);
    const item = (left as T | undefined) ?? create();
    this.#items.set(providerId, item);
    if (!left) this.emit({ type: 'item.started', item: { ...item } });
    return item;
  }

  #fresh() {
    return {
      id: uuid(),
      turnId: this.turnId,
      status: 'inProgress' as const,
      startedAt: new Date().toISOString(),
    };
  }
}
