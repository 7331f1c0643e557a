/** What one client may ask of its threads. */
import { Failure } from '../../base/errors.ts';
import { Attachments } from '../../runtime/attachments/attachments.ts';
import { findSession, type SessionRow } from '../../runtime/session-rows.ts';
import { SessionStore } from '../../runtime/session-store.ts';
import { forkSession } from '../../workspace/fork-session.ts';
import type { AgentProcess } from '../agent-process.ts';
import type { Answer } from './answer.ts';
import { keptPermissions, permissionsNow } from './kept-permissions.ts';
import { type Loaded, LoadedThreads, type ThreadsPorts } from './loaded-threads.ts';
import { type ThreadFacts, ThreadFiles, unknown } from './thread-files.ts';
import { ThreadLibrary } from './thread-library.ts';
import { type Configured, ThreadLoader, WORKSPACE } from './thread-loader.ts';
import { usedBefore } from './thread-news.ts';
import type { ForkParams, ResumeParams, StartParams, ThreadSettings, TurnParams } from './thread-params.ts';
import { ThreadView } from './thread-view.ts';
import type { Turn } from './turn.ts';
import { turnOverrides } from './turn-overrides.ts';
import { turnsOfFile } from './turns-of-file.ts';
import { readInput } from './user-input.ts';

export class Threads {
  readonly library: ThreadLibrary;
  readonly #files: ThreadFiles;
  readonly #loader: ThreadLoader;
  readonly #attachments: Attachments;
  readonly #view: ThreadView;
  readonly #loaded: LoadedThreads;

  constructor(
    private readonly agents: AgentProcess,
    here: string,
    private readonly ports: ThreadsPorts,
  ) {
    this.#files = new ThreadFiles(agents.configs.current.codexHome, ports.fault);
    this.#loader = new ThreadLoader(agents, here);
    this.#attachments = new Attachments(agents.db, agents.dir, WORKSPACE);
    this.#view = new ThreadView(agents, this.#files, this.#attachments);
    const imagePath = (id: string) => this.#attachments.path(id);
    this.#loaded = new LoadedThreads(this.#loader, this.#view, { ...ports, imagePath });
    const statusOf = (id: string) => this.#loaded.get(id)?.thread.status;
    this.library = new ThreadLibrary(this.#files, this.#view, statusOf);
  }

  async start(params: StartParams): Promise<Answer> {
    const configured = await this.#loader.configured(params, null);
    const row = this.#loader.rowOfNew(params, configured);
    return this.#view.begun(await this.#loaded.open(row, configured, params.ephemeral === true), []);
  }

  resume(params: ResumeParams): Promise<Answer> {
    return this.#loaded.inTurn.run(params.threadId, async () => {
      const known = this.#loaded.get(params.threadId);
      if (known) await this.#rejoined(known, params);
      const loaded = known ?? (await this.#load(params.threadId, params));
      const turns = params.excludeTurns ? [] : await this.#view.turns(loaded);
      const { result } = await this.#view.begun(loaded, turns);
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
    const ephemeral = params.ephemeral === true;
    const folder = ephemeral ? this.#loader.ephemeralFolder() : undefined;
    const id = await forkSession(row, { path: source.path, before, config, titles: [], folder }, this.agents);
    const made = findSession(this.agents.db, id);
    if (!made) throw new Error('the fork was not kept');
    const loaded = await this.#loaded.open(made, source.configured, ephemeral);
    return this.#view.begun(loaded, params.excludeTurns ? [] : await this.#view.turns(loaded));
  }

  async read(id: string, includeTurns: boolean): Promise<Answer> {
    const loaded = this.#loaded.get(id);
    if (!loaded) return this.library.read(id, includeTurns);
    const turns = includeTurns ? await this.#view.turns(loaded) : [];
    return { result: { thread: await this.#view.object(loaded, turns), readState: null } };
  }

  loaded(): Answer {
    return { result: { data: this.#loaded.ids, nextCursor: null } };
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
    return this.#loaded.inTurn.run(threadId, async () => {
      if (this.#loaded.get(threadId)?.agents === null)
        throw new Failure(
          'conflict',
          'thread.agent',
          `thread ${threadId} is of an agent at work: archive the one above it`,
        );
      // one that cannot be archived stays loaded
      await this.library.find(threadId);
      await this.#loaded.unload(threadId);
      return this.library.archive(threadId);
    });
  }

  unarchive(threadId: string): Promise<Answer> {
    return this.#loaded.inTurn.run(threadId, () => this.library.unarchive(threadId));
  }

  /** The client wants to hear no more of it; a turn that runs ends by itself first, unless it wants to again. */
  unsubscribe(threadId: string): Answer {
    const loaded = this.#loaded.get(threadId);
    if (!loaded) return { result: { status: 'notLoaded' } };
    const { thread } = loaded;
    thread.mute();
    const leave = async () => {
      if (thread.isMuted && this.#loaded.get(threadId) === loaded) await this.#loaded.unload(threadId);
    };
    thread
      .idle()
      .then(() => this.#loaded.inTurn.run(threadId, leave))
      .catch((error) => this.ports.fault(`unload ${threadId}`, error));
    return { result: { status: 'unsubscribed' } };
  }

  async compact(threadId: string): Promise<Answer> {
    await this.#loaded.expect(threadId).thread.compact();
    return { result: {} };
  }

  /** Ends a command that has outlived its turn. */
  async stopCommand(threadId: string, processId: string): Promise<Answer> {
    await this.#loaded.expect(threadId).thread.session.stopCommand(processId, null);
    return { result: {} };
  }

  /** `begun`: told the turn before anybody hears of it. */
  async startTurn(params: TurnParams, begun: (turn: Turn) => void): Promise<void> {
    const { thread, configured } = this.#loaded.expect(params.threadId);
    const { session } = thread;
    const change = turnOverrides(params, session.snapshot().state, configured.config.sandbox);
    if (Object.keys(change).length > 0) await session.change(change, null);
    const input = await readInput(params.input, this.#attachments);
    await thread.say(input, params.clientUserMessageId ?? undefined, begun);
  }

  async steer(
    params: Pick<TurnParams, 'threadId' | 'input' | 'clientUserMessageId'> & { expectedTurnId: string },
  ) {
    const { thread } = this.#loaded.expect(params.threadId);
    const { expectedTurnId, clientUserMessageId } = params;
    // before an image is kept for nothing
    thread.expectSteerable(expectedTurnId);
    const input = await readInput(params.input, this.#attachments);
    const turnId = await thread.steer(input, expectedTurnId, clientUserMessageId ?? undefined);
    return { result: { turnId } };
  }

  async interrupt(threadId: string, turnId: string): Promise<Answer> {
    await this.#loaded.expect(threadId).thread.interrupt(turnId);
    return { result: {} };
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
    const { model, sandbox, approval, network } = row;
    if (findSession(this.agents.db, id))
      await new SessionStore(this.agents.db, id).update({ model, sandbox, approval, network });
    return this.#loaded.open(row, configured, false);
  }

  /** What was set in this process is kept, what is in the file is newer than that. */
  #rowOf(facts: ThreadFacts, settings: ThreadSettings, configured: Configured): SessionRow {
    const known = findSession(this.agents.db, facts.id);
    return {
      ...this.#loader.rowOf(facts, settings, configured),
      ...(known && pickKept(known, settings)),
    };
  }

  /** Where a fork begins: a thread that is loaded, or its file. */
  async #source(params: ForkParams): Promise<{ row: SessionRow; path: string; configured: Configured }> {
    const loaded = this.#loaded.get(params.threadId);
    if (loaded) {
      const { state } = loaded.thread.session.snapshot();
      const { cwd, title, model, effort } = state;
      const configured = await this.#loader.configured(params, cwd);
      return {
        row: {
          ...{ ...loaded.row, parentId: null, title, model, effort },
          ...keptPermissions(params, permissionsNow(state)),
        },
        path: await loaded.thread.session.recorded(),
        configured,
      };
    }
    const facts = await this.library.find(params.threadId);
    const configured = await this.#loader.configured(params, facts.cwd);
    return { row: this.#rowOf(facts, params, configured), path: facts.path, configured };
  }

  /** The message that the fork ends before. Throws `fork.turn`. */
  async #forkPoint(
    path: string,
    { threadId, lastTurnId, beforeTurnId }: ForkParams,
  ): Promise<string | undefined> {
    if (!lastTurnId && !beforeTurnId) return undefined;
    const turns = await turnsOfFile(path, this.#view.itemsOf(threadId), null);
    const at = turns.findIndex(({ id }) => id === (beforeTurnId ?? lastTurnId));
    if (at < 0)
      throw new Failure('notFound', 'fork.turn', `this thread has no turn ${beforeTurnId ?? lastTurnId}`);
    const next = turns.slice(beforeTurnId ? at : at + 1).flatMap(({ items }) => items);
    return next.find(({ type }) => type === 'userMessage')?.id;
  }

  /** Ends what runs, in all of them; their files keep it. */
  async close(): Promise<void> {
    await this.#loaded.close();
    await this.#loader.settled();
  }
}

function pickKept(row: SessionRow, settings: ThreadSettings): Partial<SessionRow> {
  const { model, effort } = row;
  return { effort, ...(settings.model ? {} : { model }), ...keptPermissions(settings, row) };
}
