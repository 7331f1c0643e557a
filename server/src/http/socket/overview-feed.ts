/** The overview of all workspaces for sockets that asked for it: made once for all of them after a change. */
import { toldConfig, type Workspaces } from '../../workspace/workspaces.ts';

/** Changes within this time are joined. */
const JOIN_MS = 100;

export class OverviewFeed {
  readonly #workspaces: Workspaces;
  readonly #listeners = new Set<(frame: string) => void>();
  readonly #stop: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** The newest one, and when it was made. */
  #made: { frame: string; at: number } | null = null;

  constructor(workspaces: Workspaces) {
    this.#workspaces = workspaces;
    this.#stop = workspaces.onChange(() => this.#changed());
  }

  /** The frame as of now, or of a moment ago: however many ask, it is made a few times a second. */
  frame(): string {
    const now = performance.now();
    if (this.#made === null || now - this.#made.at > JOIN_MS) this.#made = { frame: this.#make(), at: now };
    return this.#made.frame;
  }

  #make(): string {
    const problem = this.#workspaces.problem() ?? undefined;
    const config = toldConfig(this.#workspaces);
    return JSON.stringify({ type: 'overview', workspaces: this.#workspaces.list(), problem, config });
  }

  /** Calls `listener` with the newest frame after changes. Returns how to stop. */
  listen(listener: (frame: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#stop();
    clearTimeout(this.#timer);
  }

  #changed(): void {
    this.#made = null;
    if (this.#listeners.size === 0) return;
    this.#timer ??= setTimeout(() => this.#publish(), JOIN_MS);
  }

  #publish(): void {
    this.#timer = undefined;
    const frame = this.frame();
    for (const listener of this.#listeners) listener(frame);
  }
}
