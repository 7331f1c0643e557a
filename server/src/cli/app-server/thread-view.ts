/** What clients are told of a thread that is loaded: itself, its settings, its turns. */
import type { Config } from '../../base/config/config.ts';
import type { Attachments } from '../../runtime/attachments/attachments.ts';
import type { SessionRow } from '../../runtime/session-rows.ts';
import { depthOf } from '../../runtime/sub-agents/agent-rows.ts';
import { AgentCalls } from '../agent-calls.ts';
import type { AgentProcess } from '../agent-process.ts';
import type { Answer } from './answer.ts';
import type { Thread } from './thread.ts';
import type { ThreadFacts, ThreadFiles } from './thread-files.ts';
import type { ItemFacts } from './thread-item.ts';
import type { Configured } from './thread-loader.ts';
import { startedBy, threadOfSession, threadSettings } from './thread-object.ts';
import type { Turn } from './turn.ts';
import { turnsOfFile } from './turns-of-file.ts';

export type Viewed = { thread: Thread; row: SessionRow; configured: Configured; ephemeral: boolean };

export class ThreadView {
  constructor(
    private readonly agents: Pick<AgentProcess, 'configs' | 'db' | 'version'>,
    private readonly files: ThreadFiles,
    private readonly attachments: Attachments,
  ) {}

  /** The answer to whoever has begun it, or come to it. */
  async begun(loaded: Viewed, turns: readonly Turn[]): Promise<Answer> {
    const { session } = loaded.thread;
    const thread = await this.object(loaded, turns);
    const settings = threadSettings(
      session.snapshot().state,
      loaded.configured.config.sandbox,
      providerOf(loaded.configured.config),
    );
    return {
      result: { thread, ...settings },
      news: [{ method: 'thread/started', params: { thread: { ...thread, turns: [] } } }],
    };
  }

  async object(loaded: Viewed, turns: readonly Turn[]) {
    const path = await loaded.thread.session.recorded();
    return this.objectOf(loaded, await this.files.facts(path).catch(() => null), path, turns);
  }

  /** `facts`: null of what has no file yet. */
  objectOf(
    { thread, row, configured, ephemeral }: Viewed,
    facts: ThreadFacts | null,
    path: string,
    turns: readonly Turn[] = [],
  ) {
    const { state } = thread.session.snapshot();
    return {
      ...threadOfSession(
        {
          ...{ state, path, preview: facts?.preview ?? '', name: facts?.name ?? null },
          historyMode: facts?.historyMode ?? 'legacy',
          ...{ createdAt: Date.parse(row.createdAt), updatedAt: facts?.updatedAt ?? Date.now() },
          modelProvider: facts?.modelProvider ?? providerOf(configured.config),
          originator: facts?.originator ?? 'tscodex',
          ...{ version: this.agents.version, status: thread.status },
        },
        turns,
      ),
      ...startedBy(row, depthOf(this.agents.db, row)),
      ...(ephemeral ? { ephemeral, path: null } : {}),
    };
  }

  async turns({ thread }: Viewed): Promise<Turn[]> {
    return turnsOfFile(await thread.session.recorded(), this.itemsOf(thread.id), thread.turnId);
  }

  itemsOf(threadId: string): ItemFacts {
    const calls = new AgentCalls(threadId);
    return { imagePath: (id) => this.attachments.path(id), clientId: () => null, calls };
  }

  /** What a thread without one is of. */
  get provider(): string {
    return providerOf(this.agents.configs.current);
  }
}

/** What is configured; a model that nobody has configured is the demo's. */
function providerOf({ model }: Config): string {
  return model.kind === 'configured' ? model.provider.id : 'demo';
}
