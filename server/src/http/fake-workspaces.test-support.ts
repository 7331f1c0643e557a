/** Workspaces for tests of the HTTP layer: one or more, with sessions that record what they are asked. */
import type { SessionGrant } from '@tscodex/shared/asks';
import type { SessionEvent } from '@tscodex/shared/events';
import type { Item } from '@tscodex/shared/items';
import { emptySession, type SessionState } from '@tscodex/shared/session-state';
import type { ConfigReport, Problem, WorkspaceSummary } from '@tscodex/shared/workspace';
import { Failure } from '../base/errors.ts';
import type { Attachments } from '../runtime/attachments/attachments.ts';
import type { Session, Viewer } from '../runtime/session-directory.ts';
import type { Workspaces } from '../workspace/workspaces.ts';

export class FakeSession implements Session {
  readonly workspaceId = 'demo';
  readonly epoch = '00000000-0000-7000-8000-00000000e0c4';
  readonly viewers = new Set<Viewer>();
  /** The calls made, as `[method, ...arguments]`. */
  readonly calls: unknown[][] = [];
  state: SessionState;
  failure: Error | null = null;

  constructor(readonly id: string) {
    this.state = emptySession({
      id,
      workspaceId: 'demo',
      cwd: '/work',
      createdAt: '2026-01-01T00:00:00.000Z',
    });
  }

  summary() {
    const { id, title, status, model, createdAt } = this.state;
    return { id, title, status, model, asks: [], createdAt, lastActivityAt: createdAt, lastTurn: null };
  }

  snapshot() {
    return { epoch: this.epoch, seq: this.state.seq, state: this.state };
  }

  subscribe(viewer: Viewer, from?: { epoch: string; after: number }) {
    this.calls.push(['subscribe', from]);
    if (from?.epoch === this.epoch) viewer.events(this.epoch, []);
    else viewer.snapshot(this.snapshot());
    this.viewers.add(viewer);
    return () => this.viewers.delete(viewer);
  }

  /** Sends events to all viewers in one call. */
  emit(...events: SessionEvent[]): void {
    this.state = { ...this.state, seq: events.at(-1)?.seq ?? this.state.seq };
    for (const viewer of this.viewers) viewer.events(this.epoch, events);
  }

  async submit(...args: Parameters<Session['submit']>) {
    await this.#record('submit', ...args);
    return { inputId: args[0].id, duplicate: false };
  }
  changeInput = (...args: unknown[]) => this.#record('changeInput', ...args);
  withdrawInput = (...args: unknown[]) => this.#record('withdrawInput', ...args);
  interrupt = (...args: unknown[]) => this.#record('interrupt', ...args);
  resume = (...args: unknown[]) => this.#record('resume', ...args);
  answer = (...args: unknown[]) => this.#record('answer', ...args);
  grants = (): SessionGrant[] => [];
  takeBackGrant = (...args: unknown[]) => this.#record('takeBackGrant', ...args);
  askEnding = (askId: string) => {
    this.calls.push(['askEnding', askId]);
    return { outcome: 'answered' as const, by: 'Bob', answer: { choice: 'once' as const } };
  };
  models = async () => [{ id: 'm-1', efforts: ['low'] }];
  stopClock = (...args: unknown[]) => this.#record('stopClock', ...args);
  stopCommand = (...args: unknown[]) => this.#record('stopCommand', ...args);
  change = (...args: unknown[]) => this.#record('change', ...args);

  async items(...args: unknown[]) {
    await this.#record('items', ...args);
    return { items: [], older: null, newer: null };
  }
  /** What `all` gives. */
  everything: Item[] = [];

  async *all() {
    await this.#record('all');
    yield* this.everything;
  }

  async find(words: string, gone: AbortSignal) {
    await this.#record('find', words, gone.aborted);
    return { itemIds: ['item-1'], cut: false };
  }

  async output(...args: unknown[]) {
    await this.#record('output', ...args);
    return 'whole output é\n';
  }

  async #record(...call: unknown[]): Promise<void> {
    if (this.failure) throw this.failure;
    this.calls.push(call);
  }
}

export class FakeWorkspaces implements Workspaces {
  readonly session = new FakeSession('01970000-0000-7000-8000-000000000001');
  readonly created: unknown[] = [];
  boardPath = '/nowhere/board.html';
  boardVersion: string | null = null;
  #listeners = new Set<() => void>();

  list(): WorkspaceSummary[] {
    return [this.workspace('demo')];
  }

  onChange(listener: () => void) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  workspace(id: string): WorkspaceSummary {
    if (id !== 'demo') throw new Failure('notFound', 'workspace.unknown', `There is no workspace ${id}.`);
    const board = { enabled: true, path: this.boardPath, version: this.boardVersion };
    const about = { id, name: 'Demo', dir: '/work', revision: '1', board, permissions: {} };
    return { ...about, sessions: [this.session.summary()] };
  }

  /** The calls that change the list, as `[method, ...arguments]`. */
  readonly changes: unknown[][] = [];
  broken: Problem | null = null;

  problem = () => this.broken;

  config: ConfigReport = { problems: [], notices: [] };

  configReport = () => this.config;

  async add(...args: unknown[]) {
    this.changes.push(['add', ...args]);
    return this.workspace('demo');
  }

  async change(id: string, ...args: unknown[]) {
    this.changes.push(['change', id, ...args]);
    return this.workspace(id);
  }

  async remove(id: string) {
    this.changes.push(['remove', this.workspace(id).id]);
  }

  async directories(...args: unknown[]) {
    this.changes.push(['directories', ...args]);
    return ['src'];
  }

  sessions(id: string) {
    return this.workspace(id).sessions;
  }

  /** Set where a test is about images. */
  images: Attachments | null = null;

  attachments(id: string): Attachments {
    this.workspace(id);
    if (!this.images) throw new Error('this test keeps no images');
    return this.images;
  }

  profiles = () => [{ name: 'fast', model: 'small' }];

  backends = () => [{ id: 'native' as const }];

  models = () => [{ id: 'demo', label: 'Demo model, no AI', demo: true }];

  async createSession(workspaceId: string, options: unknown) {
    this.created.push([this.workspace(workspaceId).id, options]);
    return this.session;
  }

  closedSessions = () => [];

  /** Ids that `reopenSession` finds closed. */
  readonly closed = new Set<string>();

  async reopenSession(_workspaceId: string, id: string) {
    return { session: await this.find(id), wasOpen: !this.closed.delete(id) };
  }

  async forkSession(id: string, before?: string) {
    this.created.push(['forked', id, before]);
    return this.find(id);
  }

  async moveSession(id: string, position: number) {
    this.created.push(['moved', id, position]);
  }

  async closeSession(id: string) {
    await this.find(id);
    this.created.push(['closed', id]);
  }

  async find(id: string): Promise<FakeSession> {
    if (id === this.session.id) return this.session;
    throw new Failure('notFound', 'session.unknown', `There is no session ${id}.`);
  }
}
