/** Writes down what a session shows: each item once it is complete, and before that what outlives its turn. */
import type { EventBody } from '@tscodex/shared/events';
import type { Item } from '@tscodex/shared/items';
import type { AgentBackend } from '../backends/backend.ts';
import type { SessionFile } from '../session/rollout.ts';
import type { Outputs } from './outputs.ts';

/** They must not vanish with a crash. */
const OUTLIVE: ReadonlySet<string> = new Set<Item['type']>(['commandExecution', 'subAgent']);

export class ItemRecords {
  /** Shown, and for the file once somebody speaks. */
  readonly #unspoken = new Map<string, Item>();

  constructor(
    private readonly ports: {
      rollout: SessionFile;
      outputs: Outputs;
      backend(): AgentBackend;
      fault(what: string, error: unknown): void;
    },
  ) {}

  /** Before it is told: whoever only looks at a session leaves its file as it is. */
  keepUntilSpoken(item: Item): void {
    this.#unspoken.set(item.id, item);
  }

  /** Somebody has said something, which is recorded next. */
  spoken(): void {
    const items = [...this.#unspoken.values()];
    this.#unspoken.clear();
    for (const item of items) this.#save(item);
  }

  see(event: EventBody): void {
    if (event.type !== 'item.completed' && event.type !== 'item.updated') return;
    const item = event.item as Item;
    if (this.#unspoken.has(item.id)) return;
    if (event.type === 'item.completed' ? !isRecorded(item) : OUTLIVE.has(item.type)) this.#save(item);
  }

  #save(item: Item): void {
    const { rollout, outputs, backend, fault } = this.ports;
    rollout.recordItem(item).catch((error) => fault('record an item', error));
    const whole = item.type === 'commandExecution' && item.truncated ? backend().output(item.id) : null;
    if (whole !== null) outputs.save(item.id, whole).catch((error) => fault('save an output', error));
  }
}

/** Together with what the model is to see of it. */
function isRecorded(item: Item): boolean {
  return item.type === 'userMessage' || (item.type === 'compaction' && item.status === 'completed');
}
