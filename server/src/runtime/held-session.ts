/**
 * A session that another program writes: it is read here, and shown as its file grows. Once that program has let
 * go, its viewers go on with the session that takes its place.
 */
import { stat } from 'node:fs/promises';
import type { Writer } from '@tscodex/shared/events';
import type { Item } from '@tscodex/shared/items';
import { emptySession, type SessionState } from '@tscodex/shared/session-state';
import type { Found, ItemPage, SessionSnapshot, SessionSummary } from '@tscodex/shared/workspace';
import { Failure } from '../base/errors.ts';
import { tryLock } from '../base/file-lock.ts';
import { type FileHolder, lockHolder } from '../base/lock-holder.ts';
import { ItemIndex } from '../session/item-index.ts';
import type { PageAsked } from '../session/item-pages.ts';
import { type Rollout, readRollout } from '../session/rollout-reader.ts';
import { Conversation } from './conversation.ts';
import { EventLog } from './event-log.ts';
import { FAREWELLS, type Farewell } from './farewells.ts';
import { Outputs } from './outputs.ts';
import { settled } from './restart.ts';
import type { Session, Viewer } from './session-directory.ts';
import type { SessionPermissions } from './session-permissions.ts';
import type { SessionRow } from './session-rows.ts';
import type { SessionStore } from './session-store.ts';

/** Between two looks at the file and at who holds it. */
const LOOK_MS = 500;
/** Between two where nobody can tell who holds it, and only trying to lock it shows. */
const ASK_MS = 5000;
/** A long file is read again no sooner than this many times what the last reading took. */
const REST = 4;

export type HeldOptions = {
  row: SessionRow;
  /** The lock that was found taken. */
  lock: string;
  stateDir: string;
  store: Pick<SessionStore, 'update'>;
  permissions: Pick<SessionPermissions, 'shown'>;
  onChange(): void;
  /** Whoever wrote it has let go. */
  onFree(): void;
  fault(what: string, error: unknown): void;
};

type Follower = { viewer: Viewer; detach: () => void };

export class HeldSession implements Session {
  readonly id: string;
  readonly workspaceId: string;
  readonly #log: EventLog;
  readonly #holder: FileHolder | null;
  readonly #followers = new Set<Follower>();
  #successor: Session | null = null;
  #conversation: Conversation;
  #seen: string;
  #timer: NodeJS.Timeout | undefined;
  #free = false;
  #left = false;

  /** Throws `rollout.unreadable`. */
  static async open(options: HeldOptions): Promise<HeldSession> {
    const seen = await stampOf(options.row.rolloutPath);
    return new HeldSession(options, await readRollout(options.row.rolloutPath), seen);
  }

  private constructor(
    private readonly options: HeldOptions,
    file: Rollout | null,
    seen: string,
  ) {
    const { row, lock, permissions } = options;
    this.id = row.id;
    this.workspaceId = row.workspaceId;
    this.#holder = lockHolder(lock);
    this.#seen = seen;
    const { id, workspaceId, title, cwd, backend, model, effort, profile, createdAt } = row;
    this.#log = new EventLog({
      ...emptySession({ id, workspaceId, title, cwd, backend, model, effort, profile, createdAt }),
      ...permissions.shown,
      ...shownOf(file),
      forkedFrom: file?.meta.forkedFrom ?? null,
      older: file?.older ?? null,
      heldBy: this.#writer,
    });
    this.#conversation = this.#conversationOf(file);
    this.#look(0);
  }

  summary(): SessionSummary {
    const { id, title, status, model, createdAt } = this.#log.state;
    const { lastActivityAt, lastTurn } = this.options.row;
    return { id, title, status, asks: [], model, createdAt, lastActivityAt, lastTurn };
  }

  snapshot(): SessionSnapshot {
    return this.#successor?.snapshot() ?? this.#log.snapshot();
  }

  subscribe(viewer: Viewer, from?: { epoch: string; after: number }): () => void {
    if (this.#successor) return this.#successor.subscribe(viewer, from);
    const follower = { viewer, detach: this.#log.subscribe(viewer, from) };
    this.#followers.add(follower);
    return () => {
      this.#followers.delete(follower);
      follower.detach();
    };
  }

  items(asked: PageAsked, limit: number): Promise<ItemPage> {
    return this.#conversation.page(asked, limit);
  }

  find(words: string, gone: AbortSignal): Promise<Found> {
    return this.#conversation.find(words, gone);
  }

  async output(itemId: string): Promise<string> {
    const kept = await new Outputs(this.options.stateDir, this.id).read(itemId);
    if (kept !== null) return kept;
    const item = this.#log.state.items.find(({ id }) => id === itemId);
    if (item?.type === 'commandExecution') return item.output;
    throw new Failure('notFound', 'item.no-output', `No output is kept for item ${itemId}.`);
  }

  all(): AsyncGenerator<Item> {
    return this.#conversation.all();
  }

  /** The path of its file: what is in it is all there is. */
  recorded = async () => this.options.row.rolloutPath;

  grants = () => [];
  models = async () => [];
  submit = () => this.#refuse();
  changeInput = () => this.#refuse();
  withdrawInput = () => this.#refuse();
  interrupt = () => this.#refuse();
  resume = () => this.#refuse();
  answer = () => this.#refuse();
  takeBackGrant = () => this.#refuse();
  stopClock = () => this.#refuse();
  stopCommand = () => this.#refuse();
  change = () => this.#refuse();
  askEnding(askId: string): never {
    throw new Failure('notFound', 'ask.unknown', `There is no ask ${askId}.`);
  }

  /** Shown to everybody, and in no file: that is another's. */
  tell(item: Item): void {
    this.#log.emit({ type: 'item.completed', item });
  }

  /** It was given this title elsewhere. */
  async renamed(title: string): Promise<void> {
    if (title === this.#log.state.title) return;
    await this.options.store.update({ title });
    this.#log.emit({ type: 'session.updated', patch: { title } });
    this.options.onChange();
  }

  showPermissions(): void {
    const patch = this.options.permissions.shown;
    this.#log.emit({ type: 'session.updated', patch });
  }

  /** Where whoever wrote it has let go, its viewers stay for `handOver`, or `end`. */
  async unload(how: Farewell): Promise<void> {
    this.#left = true;
    clearTimeout(this.#timer);
    if (!this.#free) this.#log.end(FAREWELLS[how]);
  }

  /** Its viewers go on with the session that can be written to. */
  handOver(successor: Session): void {
    this.#successor = successor;
    for (const follower of this.#followers) {
      follower.detach();
      follower.detach = successor.subscribe(follower.viewer);
    }
    this.#followers.clear();
  }

  /** There is none that could take its place. */
  end(reason: string): void {
    this.#log.end(reason);
  }

  #conversationOf(file: Rollout | null): Conversation {
    const { rolloutPath: path } = this.options.row;
    const index = file?.index ?? ItemIndex.ofNone(path);
    return new Conversation(index, { path, flush: async () => undefined }, () => this.#log.state.items);
  }

  get #writer(): Writer {
    const { pid = null, program = null } = this.#holder ?? {};
    return { pid, program };
  }

  #look(afterMs: number): void {
    const wait = Math.max(this.#holder ? LOOK_MS : ASK_MS, afterMs);
    this.#timer = setTimeout(() => {
      const began = performance.now();
      this.#readNews()
        .catch((error) => this.options.fault(`read session ${this.id} again`, error))
        .finally(() => {
          if (this.#left) return;
          this.#free = this.#isFree();
          if (this.#free) this.options.onFree();
          else this.#look(REST * (performance.now() - began));
        });
    }, wait).unref();
  }

  #isFree(): boolean {
    if (this.#holder) return !this.#holder.holds();
    try {
      const lock = tryLock(this.options.lock);
      lock?.release();
      return lock !== null;
    } catch (error) {
      this.options.fault(`look whether session ${this.id} is free`, error);
      return false;
    }
  }

  async #readNews(): Promise<void> {
    const { rolloutPath } = this.options.row;
    const seen = await stampOf(rolloutPath);
    if (seen === this.#seen) return;
    const file = await readRollout(rolloutPath);
    if (this.#left) return;
    this.#seen = seen;
    this.#conversation = this.#conversationOf(file);
    this.#tell(shownOf(file));
    this.options.onChange();
  }

  #tell({ items, turn, status }: ReturnType<typeof shownOf>): void {
    const before = this.#log.state;
    const known = new Map(before.items.map((item) => [item.id, JSON.stringify(item)]));
    const begins = turn && turn.id !== before.turn?.id ? turn : null;
    if (begins && !before.turn) this.#log.emit({ type: 'turn.started', turn: begins });
    for (const item of items) {
      if (known.get(item.id) === JSON.stringify(item)) continue;
      const type = item.status === 'inProgress' ? 'item.started' : 'item.completed';
      this.#log.emit({ type, item });
    }
    if (before.turn && turn?.id !== before.turn.id) {
      const durationMs = Date.now() - Date.parse(before.turn.startedAt);
      this.#log.emit({ type: 'turn.completed', turnId: before.turn.id, status: 'completed', durationMs });
      if (begins) this.#log.emit({ type: 'turn.started', turn: begins });
    }
    if (status !== before.status) this.#log.emit({ type: 'session.updated', patch: { status } });
  }

  async #refuse(): Promise<never> {
    const { pid, program } = this.#writer;
    const who = program === null ? 'another program' : `${program} (process ${pid})`;
    throw new Failure(
      'conflict',
      'session.locked',
      `Session ${this.id} is being written by ${who}: it can be read here, and gone on with once it is closed there.`,
      { details: program === null ? {} : { program, pid } },
    );
  }
}

function shownOf(file: Rollout | null): Pick<SessionState, 'items' | 'turn' | 'status'> {
  const items: Item[] = file?.items ?? [];
  const turn = file?.openTurn ?? null;
  if (turn) return { items, turn, status: 'running' };
  return { items: items.map((item) => settled(item, item.startedAt)), turn, status: 'idle' };
}

async function stampOf(path: string): Promise<string> {
  const { size, mtimeMs, ino } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0, ino: 0 }));
  return `${ino}:${size}:${mtimeMs}`;
}
