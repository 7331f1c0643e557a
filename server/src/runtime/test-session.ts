/** For tests: sessions over a real database and real files in a temporary directory, with a scripted model. */
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionEvent } from '@tscodex/shared/events';
import { applyEvent, type SessionState } from '@tscodex/shared/session-state';
import { v7 as uuid } from 'uuid';
import { Rules } from '../approvals/rules.ts';
import { CodexVersions } from '../backends/codex-process/codex-version.ts';
import type { Config } from '../base/config/config.ts';
import { openDatabase } from '../base/database.ts';
import { migrations } from '../base/migrations.ts';
import { CommandCeiling } from '../exec/command-ceiling.ts';
import { Sandbox } from '../exec/sandbox/sandbox.ts';
import { modelFacts, type WindowSettings } from '../model/catalog.ts';
import type { ModelClient } from '../model/client.ts';
import { GivenNames } from '../session/given-names.ts';
import { rolloutPath } from '../session/rollout.ts';
import { createRuntime, type RuntimeServices, type SessionSurroundings } from './create-runtime.ts';
import { HookRunner } from './hooks/hook-runner.ts';
import type { SessionRuntime } from './runtime.ts';
import type { Session } from './session-directory.ts';
import { findSession, insertSession, UNTOUCHED } from './session-rows.ts';
import type { Family } from './sub-agents/family.ts';
import { Workplaces } from './workplaces.ts';

export type TestBox = Awaited<ReturnType<typeof openTestBox>>;

const none = () => Promise.reject(new Error('this session starts no agents'));

/** Of a session whose agent starts no others. */
const ALONE: Family = {
  ...{ agents: () => [], create: none, find: none, close: none, reopen: none, told: none },
};

/** Of a session that stands alone. */
export const SURROUNDINGS = {
  boardPath: () => null,
  family: ALONE,
  onChange: () => undefined,
  directory: async (asked: string) => asked,
  fork: async () => ({ id: uuid(), title: 'A fork' }),
  sessions: { list: () => [], find: () => [], open: none },
} satisfies Omit<SessionSurroundings, 'workspace'>;

/** Of which a conversation may use 100,000 tokens. */
const WINDOW: WindowSettings = { contextWindow: 105_264 };

/** A state directory, a CODEX_HOME and a working directory of their own. `remove` takes them away again. */
export async function openTestBox(settings: Partial<Config> = {}) {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'tscodex-session-')));
  const workDir = join(dir, 'work');
  const stateDir = join(dir, 'state');
  await Promise.all([mkdir(workDir), mkdir(stateDir)]);
  const warn = () => undefined;
  const db = openDatabase(join(stateDir, 'state.db'), { migrations, warn });
  const faults: string[] = [];
  const closing: (() => Promise<void>)[] = [];
  const workplaces = new Workplaces();
  const hooks = new HookRunner({ cwd: dir, marker: uuid(), env: process.env });
  const config: Config = {
    codexHome: join(dir, 'codex'),
    file: join(dir, 'codex', 'config.toml'),
    profile: null,
    model: { kind: 'none' },
    permissions: { sandbox: 'workspace-write', approval: 'on-request', network: false },
    unattended: false,
    sandbox: { writableRoots: [], slashTmp: true, tmpdir: true, unixSockets: false, bwrap: '/usr/bin/bwrap' },
    environment: { inherit: 'core', secrets: false, exclude: [], set: {}, includeOnly: [] },
    ...{ keyVariables: [], instructions: {}, toolset: null, disabledTools: [], models: {} },
    ...{ hooks: [], codexHooks: [], mcpServers: [], agents: { maxThreads: 6, maxDepth: 1 } },
    backend: 'native',
    codex: {
      ...{ silenceMs: 60_000, bin: null, reconnectSeconds: 300, variables: () => ({}) },
      oneShot: {
        hasTool: false,
        mode: 'never',
        timeoutMs: 60_000,
        graceMs: 2000,
        variables: () => ({}),
      },
    },
    prices: { currency: 'USD', models: {} },
    ...settings,
  };
  const names = new GivenNames(config.codexHome);
  closing.push(() => names.settled);
  const services = (model: ModelClient, window: WindowSettings = WINDOW): RuntimeServices => ({
    ...{ db, config, stateDir, version: '0.0.0', marker: uuid() },
    // whose profile is read: nobody's
    env: { ...process.env, HOME: dir },
    ceiling: new CommandCeiling(),
    codexVersions: new CodexVersions(),
    hooks,
    workplaces,
    names,
    sandbox: new Sandbox({ bwrap: '/missing/bwrap', dir: join(dir, 'sandbox') }),
    models: {
      mended: async () => null,
      client: () => model,
      facts: (name) => modelFacts(name, config.models, window),
    },
    ...{ rules: new Rules(config.codexHome), codeDir: join(dir, 'code'), homes: () => [] },
    files: { secret: [], kept: [] },
    fault: (what, error) => faults.push(`${what}: ${error}`),
  });
  return {
    ...{ dir, workDir, stateDir, db, config, hooks, faults, services },
    /** A new session; returns its id. */
    async create(model = 'scripted-1'): Promise<string> {
      const id = uuid();
      const now = new Date().toISOString();
      await insertSession(db, {
        ...{ id, workspaceId: 'w', title: null, cwd: workDir, backend: 'native', model },
        ...{ effort: null, profile: null, rolloutPath: rolloutPath(config.codexHome, id) },
        ...{ createdAt: now, lastActivityAt: now },
        ...UNTOUCHED,
      });
      return id;
    },
    async load(id: string, model: ModelClient, window?: WindowSettings): Promise<SessionRuntime> {
      const row = findSession(db, id);
      if (!row) throw new Error(`no session ${id}`);
      const workspace = () => ({ dir: workDir, permissions: {}, otherDirs: [] });
      return createRuntime(row, { ...SURROUNDINGS, workspace }, services(model, window));
    },
    /** What is closed before everything is removed. */
    closing,
    async remove(): Promise<void> {
      for (const close of closing) await close();
      db.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A viewer that keeps all it gets and can wait for a state. */
export class Watcher {
  state: SessionState | null = null;
  readonly events: SessionEvent[] = [];
  readonly #waits = new Set<() => void>();
  readonly detach: () => void;

  constructor(session: Pick<Session, 'subscribe'>) {
    this.detach = session.subscribe({
      snapshot: ({ state }) => this.#see(state),
      events: (_epoch, events) => {
        this.events.push(...events);
        this.#see(events.reduce(applyEvent, this.state as SessionState));
      },
      ended: () => undefined,
    });
  }

  /** Resolves with the first state, from now on, for which `found` holds. */
  async until(found: (state: SessionState) => boolean): Promise<SessionState> {
    while (!this.state || !found(this.state)) {
      await new Promise<void>((resolve) => this.#waits.add(resolve));
    }
    return this.state;
  }

  idle(): Promise<SessionState> {
    return this.until((state) => state.turn === null && state.status !== 'running' && !state.waiting.length);
  }

  #see(state: SessionState): void {
    this.state = state;
    const waits = [...this.#waits];
    this.#waits.clear();
    for (const wake of waits) wake();
  }
}

export function message(text: string, mode: 'steer' | 'queue' = 'steer') {
  return { id: uuid(), text, mode };
}
