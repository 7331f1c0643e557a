/** The agents that a session's agent starts, without a server: sessions in this process, of which its end leaves the files. */
import { Failure } from '../base/errors.ts';
import type { SessionRuntime } from '../runtime/runtime.ts';
import { findSession, type SessionRow } from '../runtime/session-rows.ts';
import { closeAgents, familyOf } from '../runtime/sub-agents/agent-rows.ts';
import type { Family } from '../runtime/sub-agents/family.ts';
import { sessionFamily } from '../workspace/session-family.ts';
import type { AgentProcess, LoadedWith } from './agent-process.ts';

export type AgentListener = {
  /** Before anything happens in it. */
  loaded?(session: SessionRuntime, row: SessionRow): void;
  /** It has ended, and left memory. */
  left?(id: string): void;
};

export class StartedAgents {
  readonly #sessions = new Map<string, Promise<SessionRuntime>>();

  constructor(
    private readonly process: AgentProcess,
    private readonly loadedWith: LoadedWith,
    private readonly listener: AgentListener = {},
  ) {}

  /** Those below a session. */
  family(row: SessionRow): Family {
    const { db, version } = this.process;
    return sessionFamily(row.id, {
      ...{ db, version, config: this.loadedWith.config },
      parent: () => row,
      find: (id) => this.#find(id),
      close: (id) => this.#close(id),
    });
  }

  /** Ends all of them, once the session above has ended: before, it may start more. */
  async release(): Promise<void> {
    await this.#unload([...this.#sessions.keys()]);
  }

  #find(id: string): Promise<SessionRuntime> {
    const known = this.#sessions.get(id);
    if (known) return known;
    const loading = this.#load(id);
    this.#sessions.set(id, loading);
    loading.catch(() => this.#sessions.delete(id)); // whoever asked for it is told
    return loading;
  }

  async #load(id: string): Promise<SessionRuntime> {
    const row = findSession(this.process.db, id);
    if (!row) throw new Failure('notFound', 'session.unknown', `There is no open session ${id}.`);
    const session = await this.process.load(row, { ...this.loadedWith, family: this.family(row) });
    this.listener.loaded?.(session, row);
    return session;
  }

  async #close(id: string): Promise<void> {
    const ids = familyOf(this.process.db, id);
    await closeAgents(this.process.db, ids);
    await this.#unload(ids);
  }

  async #unload(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const session = await this.#sessions.get(id)?.catch(() => undefined); // one that never loaded holds nothing
      this.#sessions.delete(id);
      await session?.unload('close');
      this.listener.left?.(id);
    }
  }
}
