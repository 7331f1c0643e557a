/** Composition of one session: what is on disk, a backend, and the runtime over both. */
import type { SessionState } from '@tscodex/shared/session-state';
import type { Rules } from '../approvals/rules.ts';
import { NativeBackend } from '../backends/native.ts';
import type { Config } from '../base/config/config.ts';
import type { Database } from '../base/database.ts';
import type { CommandCeiling } from '../exec/command-ceiling.ts';
import { ProcessManager } from '../exec/process-manager.ts';
import type { Sandbox } from '../exec/sandbox/sandbox.ts';
import { usableWindow } from '../model/context-window.ts';
import { RolloutWriter, writerLock } from '../session/rollout.ts';
import { isEstimate } from '../session/usage-tally.ts';
import { nativeTools } from '../tools/registry.ts';
import { SavedRules } from './asks/saved-rules.ts';
import { Attachments } from './attachments/attachments.ts';
import { HeldSession } from './held-session.ts';
import type { HookRunner } from './hooks/hook-runner.ts';
import { type LoadedSession, loadSession } from './load-session.ts';
import { loginEnvironment } from './login-shell.ts';
import { defaultModel, type SessionModels } from './model-access.ts';
import { obstacleNotice } from './obstacle-notice.ts';
import { Outputs } from './outputs.ts';
import { SessionRuntime } from './runtime.ts';
import { SessionContext } from './session-context.ts';
import { type ServerFiles, SessionPermissions, type WorkspaceRules } from './session-permissions.ts';
import { readsOf } from './session-reads.ts';
import type { SessionRow } from './session-rows.ts';
import { SessionStore } from './session-store.ts';
import { shownUsage, type UsageRates } from './usage.ts';
import type { Workplaces } from './workplaces.ts';

/** What all sessions of a server share. */
export type RuntimeServices = {
  db: Database;
  config: Config;
  models: SessionModels;
  stateDir: string;
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
  hooks: HookRunner;
  workplaces: Workplaces;
  /** The server's own environment. */
  env: Readonly<Record<string, string | undefined>>;
  /** A fault of ours, for the log. */
  fault(what: string, error: unknown): void;
};

/** What a session has from its workspace. */
export type SessionSurroundings = {
  boardPath(): string | null;
  workspace(): WorkspaceRules;
  onChange(): void;
  /** Begins a session beside this one with its conversation, as far as its turns have ended. */
  fork(): Promise<{ id: string; title: string | null }>;
};

/**
 * Loads a session and starts what waits in it. Throws `session.locked`, `rollout.unreadable` and what the disk
 * refuses.
 */
export async function createRuntime(
  row: SessionRow,
  { boardPath, workspace, onChange, fork }: SessionSurroundings,
  services: RuntimeServices,
): Promise<SessionRuntime> {
  const { db, config, stateDir, fault } = services;
  const store = new SessionStore(db, row.id);
  const attachments = new Attachments(db, stateDir, row.workspaceId);
  const rollout = openRollout(row, services);
  try {
    const loaded = await loadSession(row, store, rollout);
    const permissions = new SessionPermissions(row, workspace, services);
    const obstacle = obstacleNotice(row.id, permissions);
    const items = obstacle ? [...loaded.state.items, obstacle] : loaded.state.items;
    const context = new SessionContext({
      ...{ cwd: row.cwd, config, permissions, sandbox: services.sandbox, boardPath, workspace },
      shown: loaded.state.items,
    });
    const rates = usageRates(services);
    const runtime = new SessionRuntime({
      ...loaded,
      state: { ...withSettings(loaded, row, services, rates), ...permissions.shown, items },
      lastActivityAt: row.lastActivityAt,
      lastTurn: row.lastTurn,
      outputs: new Outputs(stateDir, row.id),
      backend: (host) => {
        const shared = { marker: services.marker, sandbox: services.sandbox, ceiling: services.ceiling };
        const processes = new ProcessManager({
          ...shared,
          onBackground: (commands) => host.emit({ type: 'background.updated', commands }),
          onEnd: host.commandEnded,
        });
        return new NativeBackend({
          sessionId: row.id,
          cwd: row.cwd,
          settings: modelSettings(row, config),
          models: services.models,
          mended: async (model) => {
            const now = await services.models.mended(model);
            if (now === null) return null;
            host.emit({ type: 'session.updated', patch: { model: row.model ?? defaultModel(now) } });
            return modelSettings(row, now);
          },
          instructions: () => context.instructions,
          prepareContext: async () => {
            for (const item of await context.prepare()) host.emit({ type: 'item.completed', item });
          },
          context: () => context.sections(),
          ...{ holding: permissions, rules: services.rules },
          tools: (facts) => nativeTools(facts, config),
          history: loaded.history,
          historyTokens: countedTokens(loaded.usage),
          compactPrompt: config.instructions.compactPrompt,
          processes,
          forkProcesses: () => new ProcessManager({ ...shared, onBackground: () => undefined }),
          environment: loginEnvironment(row.cwd, processes, permissions, services),
          images: attachments,
          host,
        });
      },
      ...{ store, rollout, attachments, permissions, context, onChange, fork, fault },
      ...{ rules: new SavedRules(services.rules, db), workplaces: services.workplaces, rates },
      workspaceDir: () => workspace().dir,
      reads: () => readsOf(row.cwd, permissions, services.sandbox.owners),
      hooks: { hooks: config.hooks, runner: services.hooks },
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
    ...{ row, stateDir, onChange, onFree, fault },
    lock: writerLock(config.codexHome, row.id),
    permissions: new SessionPermissions(row, workspace, services),
  });
}

function openRollout(row: SessionRow, { config, version }: RuntimeServices): RolloutWriter {
  const meta = {
    id: row.id,
    timestamp: row.createdAt,
    cwd: row.cwd,
    originator: 'tscodex',
    cli_version: version,
  };
  return RolloutWriter.open({ codexHome: config.codexHome, path: row.rolloutPath, meta });
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
  const model = row.model ?? defaultModel(config);
  return { ...state, model, usage: shownUsage(usage, model, rates) };
}
