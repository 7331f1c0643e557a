/** Composition of one session: what is on disk, a backend, and the runtime over both. */
import type { SessionState } from '@tscodex/shared/session-state';
import { v7 as uuid } from 'uuid';
import { type ModelAccess, NativeBackend } from '../backends/native.ts';
import type { Config } from '../base/config.ts';
import type { Database } from '../base/database.ts';
import { assembleContext } from '../context/assemble.ts';
import type { CommandCeiling } from '../exec/command-ceiling.ts';
import { LoginEnvironment } from '../exec/login-environment.ts';
import { ProcessManager } from '../exec/process-manager.ts';
import type { Sandbox } from '../exec/sandbox.ts';
import { contextLeft } from '../model/catalog.ts';
import { RolloutWriter } from '../session/rollout.ts';
import { nativeTools } from '../tools/registry.ts';
import { Attachments } from './attachments.ts';
import { loadSession } from './load-session.ts';
import { defaultModel } from './model-access.ts';
import { Outputs } from './outputs.ts';
import { SessionRuntime } from './runtime.ts';
import type { SessionRow } from './session-rows.ts';
import { SessionStore } from './session-store.ts';

/** What all sessions of a server share. */
export type RuntimeServices = {
  db: Database;
  config: Config;
  models: ModelAccess;
  /** What `model_instructions_file` holds. */
  baseInstructions: string | undefined;
  stateDir: string;
  version: string;
  /** In the environment of every command, for the sweep after a crash. */
  marker: string;
  sandbox: Sandbox;
  ceiling: CommandCeiling;
  /** The server's own environment. */
  env: Readonly<Record<string, string | undefined>>;
  /** A fault of ours, for the log. */
  fault(what: string, error: unknown): void;
};

/**
 * Loads a session and starts what waits in it. Throws `session.locked`, `rollout.unreadable` and what the disk
 * refuses.
 */
export async function createRuntime(
  row: SessionRow,
  { boardPath, onChange }: { boardPath(): string | null; onChange(): void },
  services: RuntimeServices,
): Promise<SessionRuntime> {
  const { db, config, stateDir, fault } = services;
  const store = new SessionStore(db, row.id);
  const attachments = new Attachments(db, stateDir, row.workspaceId);
  const rollout = openRollout(row, services);
  try {
    const loaded = await loadSession(row, store, rollout);
    // no sandbox yet: nothing holds a command to the declared mode
    const { approval, sandbox } = config.permissions;
    const policy = { approval, sandbox, confined: false, unattended: config.unattended };
    const runtime = new SessionRuntime({
      ...loaded,
      state: withSettings(loaded.state, row, services),
      lastActivityAt: row.lastActivityAt,
      lastTurn: row.lastTurn,
      outputs: new Outputs(stateDir, row.id),
      backend: (host) => {
        const processes = new ProcessManager({
          ...{ marker: services.marker, sandbox: services.sandbox, ceiling: services.ceiling },
          onBackground: (commands) => host.emit({ type: 'background.updated', commands }),
        });
        return new NativeBackend({
          sessionId: row.id,
          cwd: row.cwd,
          settings: modelSettings(row, config),
          models: services.models,
          context: contextFor(row, boardPath, services),
          tools: nativeTools(),
          history: loaded.history,
          processes,
          environment: loginEnvironment(row, processes, services),
          images: attachments,
          host,
        });
      },
      ...{ store, rollout, attachments, policy, onChange, fault },
    });
    runtime.start();
    return runtime;
  } catch (error) {
    await rollout.close();
    throw error;
  }
}

/** The profile is read where and as commands run. */
function loginEnvironment(
  row: SessionRow,
  processes: ProcessManager,
  { config, env, fault }: RuntimeServices,
): LoginEnvironment {
  return new LoginEnvironment({
    from: env,
    policy: config.environment,
    start: (program) =>
      processes.start({
        ...program,
        ...{ command: 'login shell', cwd: row.cwd, tty: false, confinement: null, asOwnerOf: row.cwd },
        ...{ turnId: '', itemId: uuid(), onOutput: () => undefined },
      }),
    failed: (why) => fault('read the login environment', why),
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

/** Told anew for every turn: the board may have got another place. The date stays, for the provider's cache. */
function contextFor(row: SessionRow, boardPath: () => string | null, services: RuntimeServices) {
  const { developerInstructions, permissions } = services.config;
  const { baseInstructions } = services;
  const settings = { permissions, developerInstructions, baseInstructions };
  const now = new Date();
  return () => assembleContext({ ...settings, cwd: row.cwd, boardPath: boardPath(), now });
}

function modelSettings(row: SessionRow, config: Config) {
  const { model } = config;
  const { effort, summary, verbosity } = model.kind === 'configured' ? model : {};
  return { model: row.model ?? defaultModel(config) ?? '', effort: row.effort ?? effort, summary, verbosity };
}

function withSettings(state: SessionState, row: SessionRow, services: RuntimeServices): SessionState {
  const { config, models } = services;
  // made while the configuration was incomplete: it takes what is configured now
  const model = row.model ?? defaultModel(config);
  const contextWindow = model === null ? undefined : models.contextWindow(model);
  const left = row.usage &&
    contextWindow !== undefined && {
      contextWindow,
      contextLeft: contextLeft(row.usage.last.totalTokens, contextWindow),
    };
  return {
    ...state,
    model,
    approvalPolicy: config.permissions.approval,
    sandboxMode: config.permissions.sandbox,
    networkAccess: config.permissions.network,
    confined: false,
    usage: row.usage && { ...row.usage, ...left },
  };
}
