/** Which threads are loaded, those of agents that others have started among them, and how they come and go. */
import { Failure } from '../../base/errors.ts';
import { InTurn } from '../../base/in-turn.ts';
import type { JsonRpc } from '../../base/json-rpc.ts';
import type { SessionRuntime } from '../../runtime/runtime.ts';
import type { SessionRow } from '../../runtime/session-rows.ts';
import type { StartedAgents } from '../started-agents.ts';
import { Thread } from './thread.ts';
import type { Configured, ThreadLoader } from './thread-loader.ts';
import type { ThreadView, Viewed } from './thread-view.ts';

export type ThreadsPorts = {
  rpc: JsonRpc;
  notify(method: string, params: Record<string, unknown>): void;
  fault(what: string, error: unknown): void;
};

export type Loaded = Viewed & {
  /** Those that its agent has started; null of one of these, which leaves with the thread above it. */
  agents: StartedAgents | null;
};

export class LoadedThreads {
  readonly #loaded = new Map<string, Loaded>();
  /** How a thread comes and goes. */
  readonly inTurn = new InTurn();
  #closed = false;

  constructor(
    private readonly loader: ThreadLoader,
    private readonly view: ThreadView,
    private readonly ports: ThreadsPorts & { imagePath(attachmentId: string): string },
  ) {}

  get ids(): string[] {
    return [...this.#loaded.keys()];
  }

  get(id: string): Loaded | undefined {
    return this.#loaded.get(id);
  }

  /** Throws `thread.not-loaded`. */
  expect(id: string): Loaded {
    const loaded = this.#loaded.get(id);
    if (loaded) return loaded;
    throw new Failure('notFound', 'thread.not-loaded', `thread not found: ${id}`);
  }

  async open(row: SessionRow, configured: Configured, ephemeral: boolean): Promise<Loaded> {
    const listener = {
      loaded: (session: SessionRuntime, agent: SessionRow) => this.#startedAgent(session, agent, configured),
      left: (id: string) => this.#gone(id),
    };
    const { session, agents } = await this.loader.load(row, configured, listener);
    const loaded = { thread: this.#threadOf(session), row, configured, ephemeral, agents };
    this.#loaded.set(row.id, loaded);
    // the client has gone while it was loaded
    if (this.#closed) await this.unload(row.id);
    return loaded;
  }

  /** It is told of, asks and takes turns as any other. */
  #startedAgent(session: SessionRuntime, row: SessionRow, configured: Configured): void {
    const thread = this.#threadOf(session);
    const loaded = { thread, row, configured, ephemeral: false, agents: null };
    this.#loaded.set(row.id, loaded);
    this.ports.notify('thread/started', { thread: this.view.objectOf(loaded, null, row.rolloutPath) });
  }

  #threadOf(session: SessionRuntime): Thread {
    return new Thread(session, this.ports);
  }

  /** One that an agent has started leaves with the thread above it. */
  async unload(id: string): Promise<void> {
    const loaded = this.#loaded.get(id);
    if (!loaded?.agents) return;
    this.#loaded.delete(id);
    await loaded.thread.close();
    // before, it may start more
    await loaded.agents.release();
    this.#tellGone(id);
  }

  #gone(id: string): void {
    this.#loaded.get(id)?.thread.detach();
    if (this.#loaded.delete(id)) this.#tellGone(id);
  }

  #tellGone(id: string): void {
    this.ports.notify('thread/status/changed', { threadId: id, status: { type: 'notLoaded' } });
    this.ports.notify('thread/closed', { threadId: id });
  }

  /** Ends what runs, in all of them; their files keep it. */
  async close(): Promise<void> {
    this.#closed = true;
    const opening = this.inTurn.settled();
    await Promise.allSettled([...this.#loaded.keys()].map((id) => this.unload(id)));
    await opening;
    for (const end of await Promise.allSettled([...this.#loaded.keys()].map((id) => this.unload(id))))
      if (end.status === 'rejected') this.ports.fault('end a thread', end.reason);
  }
}
