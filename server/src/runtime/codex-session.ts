/** What a session has whose agent is the Codex of whoever runs the server. */
import { existsSync } from 'node:fs';
import type { Usage } from '@tscodex/shared/events';
import type { Permissions } from '@tscodex/shared/permissions';
import { CodexRules } from '../approvals/codex-rules.ts';
import type { AgentBackend, BackendHost } from '../backends/backend.ts';
import { CodexBackend } from '../backends/codex-app-server/backend.ts';
import { dynamicTools } from '../backends/codex-app-server/own-tools.ts';
import { CodexExecBackend } from '../backends/codex-exec/backend.ts';
import type { CodexInput } from '../backends/codex-process/codex-input.ts';
import { findCodex } from '../backends/codex-process/find-codex.ts';
import type { HeldAs } from '../backends/codex-process/held-as.ts';
import type { Config, EnvironmentPolicy } from '../base/config/config.ts';
import { Failure } from '../base/errors.ts';
import { isWithin } from '../base/paths.ts';
import type { MessageItem } from '../base/response-items.ts';
import { boardContext } from '../context/assemble.ts';
import { commandEnvironment, MARKER_VARIABLE } from '../exec/environment.ts';
import { CodexFile } from '../session/codex-file.ts';
import type { SessionMeta } from '../session/rollout-records.ts';
import { type AgentPlace, foreignTools } from '../tools/registry.ts';
import type { RuntimeServices } from './create-runtime.ts';
import { rolloutMeta } from './open-rollout.ts';
import { refuseUnattended, type SessionPermissions } from './session-permissions.ts';
import type { SessionRow } from './session-rows.ts';
import type { SessionStore } from './session-store.ts';

export type CodexSession = { file: CodexFile; backend(host: BackendHost): AgentBackend };

type Surroundings = {
  store: Pick<SessionStore, 'giving'>;
  place: { readonly cwd: string };
  permissions: Pick<SessionPermissions, 'current' | 'everWritable'>;
  /** The directories of all workspaces. */
  workspaces(): readonly string[];
  /** Whether anything was said so far. */
  spoken: boolean;
  /** By all turns so far. */
  used: Usage;
  boardPath(): string | null;
  agent: AgentPlace;
};

export function codexSession(
  row: SessionRow,
  surroundings: Surroundings,
  services: RuntimeServices,
): CodexSession {
  const { config } = services;
  const isNamed = row.backend === 'codex';
  const own = isNamed ? codexMeta(config, surroundings.agent) : {};
  const meta = { ...rolloutMeta(row, services), ...own };
  const file = new CodexFile(row.rolloutPath, config.codexHome, meta, isNamed);
  return {
    file,
    backend: (host) => {
      const make = isNamed ? appServer : exec;
      const backend = make(row, { ...surroundings, file, host }, services);
      file.givenBy((inputs, woken) =>
        backend.deliver(
          inputs.map(({ item, imagePaths = [] }) => ({ id: item.inputId, text: item.text, imagePaths })),
          woken,
        ),
      );
      return backend;
    },
  };
}

/** What the first record of a file says to Codex beside what any says: there alone it learns of our tools. */
export function codexMeta(config: Config, agent: Pick<AgentPlace, 'isSubAgent'>): Partial<SessionMeta> {
  return { dynamic_tools: dynamicTools(foreignTools(config, agent)) };
}

type Making = Surroundings & { file: CodexFile; host: BackendHost };
type Made = AgentBackend & {
  deliver(inputs: readonly CodexInput[], woken: MessageItem | null): Promise<void>;
};

function appServer(row: SessionRow, making: Making, services: RuntimeServices): Made {
  const { permissions, place, file, spoken, host, boardPath, agent } = making;
  const { config, version } = services;
  return new CodexBackend({
    sessionId: row.id,
    codex: { ...codexPlace(making, services), version },
    held: () => heldAs(heldByCodex(permissions.current, config), place.cwd, config),
    ...{ spoken, model: row.model, effort: row.effort ?? undefined, host },
    reconnectSeconds: config.codex.reconnectSeconds,
    prepareFile: () => file.prepare(existsSync(row.rolloutPath)),
    context: (): Record<string, string> => {
      const board = boardPath();
      return board === null ? {} : { workspace: boardContext(board) };
    },
    tools: foreignTools(config, agent),
    rules: new CodexRules(services.rules),
  });
}

function exec(row: SessionRow, making: Making, services: RuntimeServices): Made {
  const { permissions, place, file, spoken, used, store, host } = making;
  const { config, codexVersions: versions } = services;
  return new CodexExecBackend({
    ...{ sessionId: row.id, rolloutPath: row.rolloutPath, versions },
    codex: codexPlace(making, services),
    held: () => heldAs(heldAlone(permissions.current, config), place.cwd, config),
    ...{ spoken, used, model: row.model, effort: row.effort ?? undefined, host },
    limits: config.codex,
    prepareFile: (paginated) => file.prepare(existsSync(row.rolloutPath), paginated),
    giving: (inputId, bytes) => store.giving(inputId, bytes),
  });
}

function codexPlace({ permissions, workspaces, place }: Making, services: RuntimeServices) {
  const { config, env, marker } = services;
  const own = { ...config.codex.variables(), [MARKER_VARIABLE]: marker };
  return {
    program: codexProgram({ permissions, workspaces }, services),
    get cwd() {
      return place.cwd;
    },
    env: { ...codexEnvironment(config, env, config.environment), ...own },
  };
}

function heldAs(permissions: Permissions, cwd: string, config: Config): HeldAs {
  const { writableRoots, slashTmp, tmpdir } = config.sandbox;
  const hidden = [...config.environment.exclude, ...Object.keys(config.codex.variables())];
  return { ...permissions, cwd, writableRoots, slashTmp, tmpdir, hidden };
}

/**
 * Codex asks about next to nothing where nothing is confined, unless it trusts nothing: people are asked then, as with
 * the agent of this server. Throws `permissions.unattended`.
 */
export function heldByCodex(permissions: Permissions, config: Config): Permissions {
  refuseUnattended(permissions, config);
  const asks = permissions.sandbox === 'danger-full-access' && !config.unattended;
  return asks ? { ...permissions, approval: 'untrusted' } : permissions;
}

/** Without anybody who is asked nothing may be unconfined, unless the server was started so. Throws `codex.unattended`. */
export function heldAlone(permissions: Permissions, config: Config): Permissions {
  if (permissions.sandbox !== 'danger-full-access' || config.unattended)
    return { ...permissions, approval: 'never' };
  throw new Failure(
    'forbidden',
    'codex.unattended',
    'codex exec asks nobody, so it gets full access only where the server is started with it: choose another sandbox for this session, or the agent Codex.',
  );
}

/** Finds the program. Throws `codex.missing`. */
export function codexProgram(
  {
    permissions,
    workspaces,
  }: Pick<Surroundings, 'workspaces'> & { permissions: { everWritable: readonly string[] } },
  { config, env }: Pick<RuntimeServices, 'config' | 'env'>,
): () => string {
  const unsafe = (path: string) =>
    [...permissions.everWritable, ...workspaces()].some((dir) => isWithin(path, dir));
  return () => findCodex({ configured: config.codex.bin, path: env.PATH ?? '', unsafe });
}

/** What commands would have under this policy, and where Codex finds its own. */
export function codexEnvironment(
  { codexHome }: Pick<Config, 'codexHome'>,
  env: RuntimeServices['env'],
  policy: EnvironmentPolicy,
): Record<string, string> {
  return { ...commandEnvironment(env, policy), TERM: 'dumb', CODEX_HOME: codexHome };
}
