/** What a session has whose agent is the Codex of whoever runs the server. */
import { existsSync } from 'node:fs';
import type { Permissions } from '@tscodex/shared/permissions';
import type { AgentBackend, BackendHost } from '../backends/backend.ts';
import { CodexBackend } from '../backends/codex-app-server/backend.ts';
import { dynamicTools } from '../backends/codex-app-server/own-tools.ts';
import { findCodex } from '../backends/codex-process/find-codex.ts';
import type { Config, EnvironmentPolicy } from '../base/config/config.ts';
import { isWithin } from '../base/paths.ts';
import { boardContext } from '../context/assemble.ts';
import { commandEnvironment, MARKER_VARIABLE } from '../exec/environment.ts';
import { CodexFile } from '../session/codex-file.ts';
import type { SessionMeta } from '../session/rollout-records.ts';
import { type AgentPlace, foreignTools } from '../tools/registry.ts';
import type { RuntimeServices } from './create-runtime.ts';
import { rolloutMeta } from './open-rollout.ts';
import { refuseUnattended, type SessionPermissions } from './session-permissions.ts';
import type { SessionRow } from './session-rows.ts';

export type CodexSession = { file: CodexFile; backend(host: BackendHost): AgentBackend };

type Surroundings = {
  place: { readonly cwd: string };
  permissions: Pick<SessionPermissions, 'current' | 'everWritable'>;
  /** The directories of all workspaces. */
  workspaces(): readonly string[];
  /** Whether anything was said so far. */
  spoken: boolean;
  boardPath(): string | null;
  agent: AgentPlace;
};

export function codexSession(
  row: SessionRow,
  { place, permissions, workspaces, spoken, boardPath, agent }: Surroundings,
  services: RuntimeServices,
): CodexSession {
  const { config, version, env, marker } = services;
  const tools = foreignTools(config, agent);
  const meta = { ...rolloutMeta(row, services), ...codexMeta(config, agent) };
  const file = new CodexFile(row.rolloutPath, config.codexHome, meta);
  const { writableRoots, slashTmp, tmpdir } = config.sandbox;
  const variables = config.codex.variables();
  return {
    file,
    backend: (host) => {
      const backend = new CodexBackend({
        sessionId: row.id,
        codex: {
          program: codexProgram({ permissions, workspaces }, services),
          cwd: place.cwd,
          env: {
            ...codexEnvironment(config, env, config.environment),
            ...variables,
            [MARKER_VARIABLE]: marker,
          },
          version,
        },
        held: () => ({
          ...{ ...heldByCodex(permissions.current, config), cwd: place.cwd, writableRoots, slashTmp, tmpdir },
          hidden: [...config.environment.exclude, ...Object.keys(variables)],
        }),
        ...{ spoken, model: row.model, effort: row.effort ?? undefined, host },
        reconnectSeconds: config.codex.reconnectSeconds,
        prepareFile: () => file.prepare(existsSync(row.rolloutPath)),
        context: (): Record<string, string> => {
          const board = boardPath();
          return board === null ? {} : { workspace: boardContext(board) };
        },
        tools,
      });
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

/**
 * Codex asks about next to nothing where nothing is confined, unless it trusts nothing: people are asked then, as with
 * the agent of this server. Throws `permissions.unattended`.
 */
export function heldByCodex(permissions: Permissions, config: Config): Permissions {
  refuseUnattended(permissions, config);
  const asks = permissions.sandbox === 'danger-full-access' && !config.unattended;
  return asks ? { ...permissions, approval: 'untrusted' } : permissions;
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
