/** Notices when the git branch is switched under a running turn by none of its own doings. */
import type { EventBody } from '@tscodex/shared/events';

export type BranchSwitch = { from: string; to: string };

export class BranchWatch {
  /** As it was when last looked at; null: on none, or no turn runs. */
  #branch: string | null = null;
  /** The turn's doings that are under way, by item: what they switch is the agent's own. */
  readonly #doing = new Set<string>();
  /** Those of them that wait for a person and so do nothing, by ask. */
  readonly #asking = new Map<string, string>();
  readonly #untold: BranchSwitch[] = [];

  constructor(
    private readonly branch: () => string | null,
    /** Called with each switch, once. */
    private readonly noticed: (happened: BranchSwitch) => void,
  ) {}

  /** To be called with each event of the session before it is told. */
  see(event: EventBody): void {
    if (event.type === 'turn.started') this.#branch = this.branch();
    if (event.type === 'turn.completed') this.#end();
    if (event.type === 'item.started' && isDoing(event.item)) this.#begin(event.item.id);
    if (event.type === 'item.completed' || (event.type === 'item.updated' && hasYielded(event.item)))
      if (this.#doing.delete(event.item.id)) this.#branch = this.branch();
    if (event.type === 'ask.opened' && event.ask.itemId && this.#doing.delete(event.ask.itemId))
      this.#asking.set(event.ask.id, event.ask.itemId);
    if (event.type === 'ask.closed') this.#goOn(event.askId);
  }

  /** What has happened and was not taken before, for the model. */
  take(): BranchSwitch[] {
    this.#look();
    return this.#untold.splice(0);
  }

  #begin(itemId: string): void {
    this.#look();
    this.#doing.add(itemId);
  }

  #goOn(askId: string): void {
    const itemId = this.#asking.get(askId);
    this.#asking.delete(askId);
    if (itemId !== undefined) this.#begin(itemId);
  }

  #look(): void {
    if (this.#branch === null || this.#doing.size > 0) return;
    const from = this.#branch;
    const to = this.branch();
    // on no branch: a rebase, which comes back to one
    if (to === null || to === from) return;
    this.#branch = to;
    this.#untold.push({ from, to });
    this.noticed({ from, to });
  }

  #end(): void {
    this.#branch = null;
    this.#doing.clear();
    this.#asking.clear();
    this.#untold.length = 0;
  }
}

function isDoing({ type }: { type: string }): boolean {
  return type === 'commandExecution' || type === 'fileChange' || type === 'toolCall';
}

/** A command that goes on without the turn. */
function hasYielded(item: { type: string }): boolean {
  return item.type === 'commandExecution' && 'processId' in item && item.processId !== undefined;
}
