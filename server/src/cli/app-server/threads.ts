/** The threads of one client: which are loaded, and what it may ask of them. */

import { Failure } from '../../base/errors.ts';
import type { JsonRpc } from '../../base/json-rpc.ts';
import { Attachments } from '../../runtime/attachments/attachments.ts';
import type { SessionRuntime } from '../../runtime/runtime.ts';
import { findSession, type SessionRow } from '../../runtime/session-rows.ts';
import { SessionStore } from '../../runtime/session-store.ts';
import { forkSession } from '../../workspace/fork-session.ts';
import type { AgentProcess } from '../agent-process.ts';
import type { Answer } from './answer.ts';
import { forkPermissions } from './fork-permissions.ts';
import { Thread } from './thread.ts';
import { type ThreadFacts, ThreadFiles, unknown } from './thread-files.ts';
import type { ItemFacts } from './thread-item.ts';
import { ThreadLibrary } from './thread-library.ts';
import { type Configured, ThreadLoader, WORKSPACE } from './thread-loader.ts';
import { usedBefore } from './thread-news.ts';
import { threadOfSession, threadSettings } from './thread-object.ts';
import type { ForkParams, ResumeParams, StartParams, ThreadSettings, TurnParams } from './thread-params.ts';
import type { Turn } from './turn.ts';
import { turnOverrides } from './turn-overrides.ts';
import { turnsOfFile } from './turns-of-file.ts';
import { readInput } from './user-input.ts';

type Ports = {
  rpc: JsonRpc;
  notify(method: string, params: Record<string, unknown>): void;
  fault(what: string, error: unknown): void;
};

type Loaded = { thread: Thread; row: SessionRow; configured: Configured; ephemeral: boolean };

export class Threads {
  readonly library: ThreadLibrary;
  readonly #files: ThreadFiles;
  readonly #loader: ThreadLoader;
  readonly #attachments: Attachments;
  readonly #loaded = new Map<string, Loaded>();
  /** Those on their way in or out: what concerns one comes after. */
  readonly #last = new Map<string, Promise<unknown>>();
  #closed = false;

  constructor(
    private readonly agents: AgentProcess,
    here: string,
    private readonly ports: Ports,
  ) {
    this.#files = new ThreadFiles(agents.configs.current.codexHome);
    const statusOf = (id: string) => this.#loaded.get(id)?.thread.status;
    this.library = new ThreadLibrary(this.#files, this.#itemFacts, () => this.#provider, statusOf);
    this.#loader = new ThreadLoader(agents, here);
    this.#attachments = new Attachments(agents.db, agents.stateDir, WORKSPACE);
  }

  async start(params: StartParams): Promise<Answer> {
    const configured = await this.#loader.configured(params, null);
    const row = this.#loader.rowOfNew(params, configured);
    return this.#begun(await this.#open(row, configured, params.ephemeral === true), []);
  }

  resume(params: ResumeParams): Promise<Answer> {
    return this.#next(params.threadId, async () => {
      const known = this.#loaded.get(params.threadId);
      if (known) await this.#rejoined(known, params);
      const loaded = known ?? (await this.#load(params.threadId, params));
      const turns = params.excludeTurns ? [] : await this.#turns(loaded);
      const { result } = await this.#begun(loaded, turns);
      const { state } = loaded.thread.session.snapshot();
      const { model, effort } = state;
      const mode = { model: model ?? '', reasoning_effort: effort, developer_instructions: null };
      return {
        result: {
          ...{ ...result, collaborationMode: { mode: 'default', settings: mode }, initialTurnsPage: null },
          ...{ turnsBackwardsCursor: null, itemsBackwardsCursor: null },
        },
        news: usedBefore(state),
      };
    });
  }

  async fork(params: ForkParams): Promise<Answer> {
    const source = await this.#source(params);
    const before = await this.#forkPoint(source.path, params);
    const { config, place } = source.configured;
    const row = {
      ...{ ...source.row, cwd: place.directory },
      ...(params.model ? { model: params.model } : {}),
    };
    const id = await forkSession(row, { path: source.path, before, config, titles: [] }, this.agents);
    const made = findSession(this.agents.db, id);
    if (!made) throw new Error('the fork was not kept');
    const loaded = await this.#open(made, source.configured, false);
    return this.#begun(loaded, params.excludeTurns ? [] : await this.#turns(loaded));
  }

  async read(id: string, includeTurns: boolean): Promise<Answer> {
    const loaded = this.#loaded.get(id);
    if (!loaded) return this.library.read(id, includeTurns);
    const turns = includeTurns ? await this.#turns(loaded) : [];
    return { result: { thread: await this.#object(loaded, turns), readState: null } };
  }

  loaded(): Answer {
    return { result: { data: [...this.#loaded.keys()], nextCursor: null } };
  }

  async setName(threadId: string, name: string): Promise<Answer> {
    const { names } = this.agents;
    const loaded = this.#loaded.get(threadId);
    if (loaded) {
      await loaded.thread.session.change({ title: name }, null);
      await names.settled;
    } else if (await this.library.has(threadId)) await names.give(threadId, name);
    else throw unknown(threadId, 'there is none');
    return { result: {}, news: [{ method: 'thread/name/updated', params: { threadId, threadName: name } }] };
  }

  archive(threadId: string): Promise<Answer> {
    return this.#next(threadId, async () => {
      await this.#unload(threadId);
      return this.library.archive(threadId);
    });
  }

  unarchive(threadId: string): Promise<Answer> {
    return this.#next(threadId, () => this.library.unarchive(threadId));
  }

  /** The client wants to hear no more of it; a turn that runs ends by itself first, unless it wants to again. */
  unsubscribe(threadId: string): Answer {
    const loaded = this.#loaded.get(threadId);
    if (!loaded) return { result: { status: 'notLoaded' } };
    const { thread } = loaded;
    thread.mute();
    const leave = async () => {
      if (thread.isMuted && this.#loaded.get(threadId) === loaded) await this.#unload(threadId);
    };
    thread
      .idle()
      .then(() => this.#next(threadId, leave))
      .catch((error) => this.ports.fault(`unload ${threadId}`, error));
    return { result: { status: 'unsubscribed' } };
  }

  async compact(threadId: string): Promise<Answer> {
    await this.#thread(threadId).thread.compact();
    return { result: {} };
  }

  /** Ends a command that has outlived its turn. */
  async stopCommand(threadId: string, processId: string): Promise<Answer> {
    await this.#thread(threadId).thread.session.stopCommand(processId, null);
    return { result: {} };
  }

  /** `begun`: told the turn before anybody hears of it. */
  async startTurn(params: TurnParams, begun: (turn: Turn) => void): Promise<void> {
    const { thread } = this.#thread(params.threadId);
    const { session } = thread;
    const change = turnOverrides(params, session.snapshot().state, this.#writable(session));
    if (Object.keys(change).length > 0) await session.change(change, null);
    const input = await readInput(params.input, this.#attachments);
    await thread.say(input, params.clientUserMessageId ?? undefined, begun);
  }

  async steer(
    params: Pick<TurnParams, 'threadId' | 'input' | 'clientUserMessageId'> & { expectedTurnId: string },
  ) {
    const { thread } = this.#thread(params.threadId);
    const input = await readInput(params.input, this.#attachments);
    await thread.steer(input, params.expectedTurnId, params.clientUserMessageId ?? undefined);
    return { result: { turnId: params.expectedTurnId } };
  }

  async interrupt(threadId: string, turnId: string): Promise<Answer> {
    await this.#thread(threadId).thread.interrupt(turnId);
    return { result: {} };
  }

  /** Ends what runs, in all of them; their files keep it. */
  async close(): Promise<void> {
    this.#closed = true;
    const opening = [...this.#last.values()];
    await Promise.allSettled([...this.#loaded.keys()].map((id) => this.#unload(id)));
    await Promise.allSettled(opening);
    for (const end of await Promise.allSettled([...this.#loaded.keys()].map((id) => this.#unload(id))))
      if (end.status === 'rejected') this.ports.fault('end a thread', end.reason);
  }

  /** One after another, of one thread. */
  #next<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const done = (this.#last.get(id) ?? Promise.resolve()).then(work);
    const settled = done
      .catch(() => undefined) // whoever asked for it is told
      .then(() => {
        if (this.#last.get(id) === settled) this.#last.delete(id);
      });
    this.#last.set(id, settled);
    return done;
  }

  /** What is asked for holds from here on, as for a turn. */
  async #rejoined({ thread }: Loaded, { model, cwd, approvalPolicy, sandbox }: ResumeParams): Promise<void> {
    const { session } = thread;
    const { state } = session.snapshot();
    const change = {
      ...(model && model !== state.model ? { model } : {}),
      ...(cwd && cwd !== state.cwd ? { cwd } : {}),
      ...(approvalPolicy && approvalPolicy !== state.approvalPolicy ? { approval: approvalPolicy } : {}),
      ...(sandbox && sandbox !== state.sandboxMode ? { sandbox } : {}),
    };
    if (Object.keys(change).length > 0) await session.change(change, null);
    thread.unmute();
  }

  async #load(id: string, settings: ThreadSettings): Promise<Loaded> {
    const facts = await this.library.find(id);
    const configured = await this.#loader.configured(settings, facts.cwd);
    const row = this.#rowOf(facts, settings, configured);
    const { model, sandbox, approval } = row;
    if (findSession(this.agents.db, id))
      await new SessionStore(this.agents.db, id).update({ model, sandbox, approval });
    return this.#open(row, configured, false);
  }

  /** What was set in this process is kept, what is in the file is newer than that. */
  #rowOf(facts: ThreadFacts, settings: ThreadSettings, configured: Configured): SessionRow {
    const known = findSession(this.agents.db, facts.id);
    return {
      ...this.#loader.rowOf(facts, settings, configured),
      ...(known && pickKept(known, settings)),
    };
  }

  async #open(row: SessionRow, configured: Configured, ephemeral: boolean): Promise<Loaded> {
    const session = await this.#loader.load(row, configured);
    const thread = new Thread(session, { ...this.ports, imagePath: (id) => this.#attachments.path(id) });
    const loaded = { thread, row, configured, ephemeral };
    this.#loaded.set(row.id, loaded);
    // the client has gone while it was loaded
    if (this.#closed) await this.#unload(row.id);
    return loaded;
  }

  async #unload(id: string): Promise<void> {
    const loaded = this.#loaded.get(id);
    if (!loaded) return;
    this.#loaded.delete(id);
    await loaded.thread.close();
    this.ports.notify('thread/status/changed', { threadId: id, status: { type: 'notLoaded' } });
    this.ports.notify('thread/closed', { threadId: id });
  }

  #thread(id: string): Loaded {
    const loaded = this.#loaded.get(id);
    if (loaded) return loaded;
    throw new Failure('notFound', 'thread.not-loaded', `thread not found: ${id}`);
  }

  /** Where a fork begins: a thread that is loaded, or its file. */
  async #source(params: ForkParams): Promise<{ row: SessionRow; path: string; configured: Configured }> {
    const loaded = this.#loaded.get(params.threadId);
    if (loaded) {
      const { state } = loaded.thread.session.snapshot();
      const { cwd, title, model, effort } = state;
      const configured = await this.#loader.configured(params, cwd);
      return {
        row: { ...loaded.row, parentId: null, title, model, effort, ...forkPermissions(params, state) },
        path: await loaded.thread.session.recorded(),
        configured,
      };
    }
    const facts = await this.library.find(params.threadId);
    const configured = await this.#loader.configured(params, facts.cwd);
    return { row: this.#rowOf(facts, params, configured), path: facts.path, configured };
  }

  /** The message that the fork ends before. Throws `fork.turn`. */
  async #forkPoint(path: string, { lastTurnId, beforeTurnId }: ForkParams): Promise<string | undefined> {
    if (!lastTurnId && !beforeTurnId) return undefined;
    const turns = await turnsOfFile(path, this.#itemFacts, null);
    const at = turns.findIndex(({ id }) => id === (beforeTurnId ?? lastTurnId));
    if (at < 0)
      throw new Failure('notFound', 'fork.turn', `this thread has no turn ${beforeTurnId ?? lastTurnId}`);
    const next = turns.slice(beforeTurnId ? at : at + 1).flatMap(({ items }) => items);
    return next.find(({ type }) => type === 'userMessage')?.id;
  }

  async #begun(loaded: Loaded, turns: readonly Turn[]): Promise<Answer> {
    const { session } = loaded.thread;
    const thread = await this.#object(loaded, turns);
    const settings = threadSettings(session.snapshot().state, this.#writable(session), this.#provider);
    return {
      result: { thread, ...settings },
      news: [{ method: 'thread/started', params: { thread: { ...thread, turns: [] } } }],
    };
  }

  async #object({ thread, row, ephemeral }: Loaded, turns: readonly Turn[]) {
    const path = await thread.session.recorded();
    const facts: ThreadFacts | null = await this.#files.facts(path).catch(() => null);
    const { state } = thread.session.snapshot();
    const now = Date.now();
    return {
      ...threadOfSession(
        {
          ...{ state, path, preview: facts?.preview ?? '', name: facts?.name ?? null },
          ...{ createdAt: Date.parse(row.createdAt), updatedAt: facts?.updatedAt ?? now },
          ...{
            modelProvider: facts?.modelProvider ?? this.#provider,
            originator: facts?.originator ?? 'tscodex',
          },
          ...{ version: this.agents.version, status: thread.status },
        },
        turns,
      ),
      ...(ephemeral ? { ephemeral, path: null } : {}),
    };
  }

  async #turns({ thread }: Loaded): Promise<Turn[]> {
    return turnsOfFile(await thread.session.recorded(), this.#itemFacts, thread.turnId);
  }

  #writable(session: SessionRuntime): readonly string[] {
    const config = this.#loaded.get(session.id)?.configured.config;
    return config?.sandbox.writableRoots ?? [];
  }

  get #itemFacts(): ItemFacts {
    return { imagePath: (id) => this.#attachments.path(id), clientId: () => null };
  }

  /** What is configured; a model that nobody has configured is the demo's. */
  get #provider(): string {
    const { model } = this.agents.configs.current;
    return model.kind === 'configured' ? model.provider.id : 'demo';
  }
}

function pickKept(row: SessionRow, settings: ThreadSettings): Partial<SessionRow> {
  const { model, effort, sandbox, approval, network } = row;
  return {
    ...{ effort, network },
    ...(settings.model ? {} : { model }),
    ...(settings.sandbox ? {} : { sandbox }),
    ...(settings.approvalPolicy ? {} : { approval }),
  };
}
