/** Composition of one session: what is on disk, a backend, and the runtime over both. */

import { isCodex } from '@tscodex/shared/lacks';
import type { SessionState } from '@tscodex/shared/session-state';
import { CodexRules } from '../approvals/codex-rules.ts';
import type { Rules } from '../approvals/rules.ts';
import type { CodexVersions } from '../backends/codex-process/codex-version.ts';
import { NativeBackend } from '../backends/native.ts';
import type { Config } from '../base/config/config.ts';
import type { Database } from '../base/database.ts';
import type { CommandCeiling } from '../exec/command-ceiling.ts';
import { ProcessManager } from '../exec/process-manager.ts';
import type { Sandbox } from '../exec/sandbox/sandbox.ts';
import { usableWindow } from '../model/context-window.ts';
import type { GivenNames } from '../session/given-names.ts';
import { isEstimate, sumOf } from '../session/usage-tally.ts';
import { writerLock } from '../session/writer-lock.ts';
import { type AgentPlace, nativeTools } from '../tools/registry.ts';
import { KeptGrants } from './asks/kept-grants.ts';
import { SavedRules } from './asks/saved-rules.ts';
import { Attachments } from './attachments/attachments.ts';
import { codexSession } from './codex-session.ts';
import { HeldSession } from './held-session.ts';
import type { HookRunner } from './hooks/hook-runner.ts';
import { type LoadedSession, loadSession } from './load-session.ts';
import { loginEnvironment } from './login-shell.ts';
import { defaultModel, type SessionModels } from './model-access.ts';
import { obstacleNotice } from './obstacle-notice.ts';
import { oneShotSession } from './one-shot-session.ts';
import { openRollout } from './open-rollout.ts';
import { Outputs } from './outputs.ts';
import type { SessionsElsewhere } from './resume-command.ts';
import { SessionRuntime } from './runtime.ts';
import { SessionContext } from './session-context.ts';
import { type ServerFiles, SessionPermissions, type WorkspaceRules } from './session-permissions.ts';
import { readsOf } from './session-reads.ts';
import type { SessionRow } from './session-rows.ts';
import { SessionStore } from './session-store.ts';
import type { WorkingPlace } from './settings-changes.ts';
import { depthOf, isClosedAgent, rootOf } from './sub-agents/agent-rows.ts';
import { type Family, ONE_SHOT } from './sub-agents/family.ts';
import { shownUsage, type UsageRates } from './usage.ts';
import type { Workplaces } from './workplaces.ts';

/** What all sessions of a server share. */
export type RuntimeServices = {
  db: Database;
  config: Config;
  models: SessionModels;
  stateDir: string;
  /** Where images lie whose rows do not outlive the process; without it, in the state directory. */
  imagesIn?: string;
  version: string;
  /** In the environment of every command, for the sweep after a crash. */
  marker: string;
  sandbox: Sandbox;
  rules: Rules;
  /** Where the program of this server lies. */
  codeDir: string;
  files: ServerFiles;
  /** Whose keys lie where commands of this directory could reach them. */
  homes(directory: string): readonly string[];
  ceiling: CommandCeiling;
  codexVersions: CodexVersions;
  hooks: HookRunner;
  workplaces: Workplaces;
  /** What people call sessions, for Codex. */
  names: GivenNames;
  /** The server's own environment. */
  env: Readonly<Record<string, string | undefined>>;
  /** A fault of ours, for the log. */
  fault(what: string, error: unknown): void;
};

/** What a session has from its workspace. */
export type SessionSurroundings = {
  boardPath(): string | null;
  workspace(): WorkspaceRules;
  family: Family;
  onChange(): void;
  /** What a person names, as a directory of the workspace. Throws `session.cwd-missing`, `session.cwd-outside`. */
  directory(asked: string): Promise<string>;
  /** Begins a session beside this one with its conversation, as far as its turns have ended. */
  fork(): Promise<{ id: string; title: string | null }>;
  /** What one may go to from here. */
  sessions: SessionsElsewhere;
  /** A JSON schema that answers have to fit; undefined: they are free. */
  outputSchema?: Record<string, unknown> | undefined;
};

/**
 * Loads a session and starts what waits in it. Throws `session.locked`, `rollout.unreadable` and what the disk
 * refuses.
 */
export async function createRuntime(
  row: SessionRow,
  { boardPath, workspace, family, onChange, directory, fork, sessions, outputSchema }: SessionSurroundings,
  services: RuntimeServices,
): Promise<SessionRuntime> {
  const { db, config, stateDir, fault } = services;
  const store = new SessionStore(db, row.id);
  const attachments = new Attachments(db, services.imagesIn ?? stateDir, row.workspaceId);
  const rollout = openRollout(row, services);
  try {
    const loaded = await loadSession(row, store, rollout, isClosedAgent(db, row.id));
    const byCodex = isCodex(row.backend);
    // Codex takes the lock itself once it is started
    if (byCodex) await rollout.close();
    const working: WorkingPlace = { cwd: row.cwd, find: directory };
    const { sandbox, approval, network } = row;
    const session = {
      ...{ sandbox, approval, network },
      get cwd() {
        return working.cwd;
      },
    };
    const place = agentPlace(row, services);
    const root = place.isSubAgent ? () => rootOf(db, row) : undefined;
    const permissions = new SessionPermissions(session, workspace, {
      ...services,
      ...(root && { inherited: root }),
    });
    const obstacle = obstacleNotice(row.id, permissions);
    const items = obstacle ? [...loaded.state.items, obstacle] : loaded.state.items;
    const context = new SessionContext({
      get cwd() {
        return working.cwd;
      },
      ...{ config, permissions, sandbox: services.sandbox, boardPath, workspace },
      shown: loaded.state.items,
    });
    const rates = usageRates(services);
    const spoken = loaded.history.length > 0;
    const workspaces = () => [workspace().dir ?? [], workspace().otherDirs].flat();
    const used = sumOf(loaded.usage.total);
    const codex = byCodex
      ? codexSession(
          row,
          { store, place: working, permissions, workspaces, spoken, used, boardPath, agent: place },
          services,
        )
      : null;
    const rules = codex ? new CodexRules(services.rules) : services.rules;
    const oneShot =
      row.backend === ONE_SHOT
        ? oneShotSession(row, { place: working, permissions, workspaces }, services)
        : null;
    const runtime = new SessionRuntime({
      ...loaded,
      state: { ...withSettings(loaded, row, services, rates), ...permissions.shown, items },
      lastActivityAt: row.lastActivityAt,
      outputs: new Outputs(stateDir, row.id),
      backend: (host) => {
        const foreign = codex ?? oneShot;
        if (foreign) return foreign.backend(host);
        const shared = { marker: services.marker, sandbox: services.sandbox, ceiling: services.ceiling };
        const processes = new ProcessManager({
          ...shared,
          onBackground: (commands) => host.emit({ type: 'background.updated', commands }),
          onEnd: host.commandEnded,
        });
        return new NativeBackend({
          sessionId: row.id,
          subAgent: place.isSubAgent,
          get cwd() {
            return working.cwd;
          },
          settings: { ...modelSettings(row, config), outputSchema },
          models: services.models,
          mended: async (model) => {
            const now = await services.models.mended(model);
            if (now === null) return null;
            host.emit({ type: 'session.updated', patch: { model: row.model ?? defaultModel(now) } });
            return { ...modelSettings(row, now), outputSchema };
          },
          instructions: () => context.instructions,
          prepareContext: async () => {
            for (const item of await context.prepare()) host.emit({ type: 'item.completed', item });
          },
          context: () => context.sections(),
          ...{ holding: permissions, rules: services.rules },
          tools: (facts) => nativeTools(facts, config, place),
          history: loaded.history,
          historyTokens: countedTokens(loaded.usage),
          compactPrompt: config.instructions.compactPrompt,
          processes,
          forkProcesses: () => new ProcessManager({ ...shared, onBackground: () => undefined }),
          environment: loginEnvironment(working, processes, permissions, services),
          images: attachments,
          host,
        });
      },
      ...{ store, rollout: codex?.file ?? rollout, attachments, permissions, context },
      ...{ onChange, fork, sessions, fault },
      ...{ rules: new SavedRules(rules, db), workplaces: services.workplaces, rates },
      titled: (title) => {
        // what an agent's session is called is its parent's matter
        if (row.parentId !== null) return;
        services.names
          .give(row.id, title)
          .catch((error) => fault('tell Codex what a session is called', error));
      },
      workspaceDir: () => workspace().dir,
      place: working,
      efforts: {
        of: (model) => services.models.facts(model).efforts,
        configured: config.model.kind === 'configured' ? config.model.effort : undefined,
      },
      reads: () => readsOf(working.cwd, permissions, services.sandbox.owners),
      hooks: { hooks: config.hooks, runner: services.hooks },
      ...{ family, agents: { may: place.maySpawn, most: config.agents.maxThreads } },
      subAgent: root
        ? {
            granted: () => new KeptGrants(new SessionStore(db, root().id)),
            isClosed: () => isClosedAgent(db, row.id),
            oneShot: oneShot !== null,
          }
        : null,
    });
    runtime.start();
    return runtime;
  } catch (error) {
    await rollout.close();
    throw error;
  }
}

/** The same session while another program writes it. Throws `rollout.unreadable`. */
export function createHeld(
  row: SessionRow,
  { workspace, onChange }: SessionSurroundings,
  services: RuntimeServices,
  onFree: () => void,
): Promise<HeldSession> {
  const { config, stateDir, fault } = services;
  return HeldSession.open({
    ...{ row, stateDir, store: new SessionStore(services.db, row.id), onChange, onFree, fault },
    lock: writerLock(config.codexHome, row.id),
    permissions: new SessionPermissions(row, workspace, services),
  });
}

function agentPlace(row: SessionRow, { db, config }: RuntimeServices): AgentPlace {
  const depth = depthOf(db, row);
  return { isSubAgent: depth > 0, maySpawn: depth < config.agents.maxDepth };
}

function modelSettings(row: SessionRow, config: Config) {
  const { model } = config;
  const { effort, summary, verbosity, serviceTier } = model.kind === 'configured' ? model : {};
  const name = row.model ?? defaultModel(config) ?? '';
  return { model: name, effort: row.effort ?? effort, summary, verbosity, serviceTier };
}

function usageRates({ config, models }: RuntimeServices): UsageRates {
  return { prices: config.prices, contextWindow: (model) => usableWindow(models.facts(model)) };
}

/** As the model has counted, not estimated: nothing knows better what the conversation takes. */
function countedTokens({ context }: LoadedSession['usage']): number | undefined {
  return context && !isEstimate(context) ? context.totalTokens : undefined;
}

function withSettings(
  { state, usage }: LoadedSession,
  row: SessionRow,
  { config }: RuntimeServices,
  rates: UsageRates,
): SessionState {
  // made while the configuration was incomplete: it takes what is configured now
  const model = row.model ?? (row.backend === 'native' ? defaultModel(config) : null);
  return { ...state, model, usage: shownUsage(usage, model, rates) };
}
