/** What a session has whose agent is a Codex that another agent has started for one task. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentBackend, BackendHost } from '../backends/backend.ts';
import { CodexOneShot } from '../backends/codex-one-shot/backend.ts';
import { oneShotHold } from '../backends/codex-one-shot/one-shot-hold.ts';
import { PROFILE, permissionProfile, placeOfProgram } from '../backends/codex-one-shot/permission-profile.ts';
import type { Config } from '../base/config/config.ts';
import { Failure } from '../base/errors.ts';
import { MARKER_VARIABLE } from '../exec/environment.ts';
import type { Place } from '../exec/sandbox/mount-plan.ts';
import { codexEnvironment, codexProgram } from './codex-session.ts';
import type { RuntimeServices } from './create-runtime.ts';
import type { SessionPermissions } from './session-permissions.ts';
import type { SessionRow } from './session-rows.ts';

type Surroundings = {
  place: { readonly cwd: string };
  permissions: Pick<SessionPermissions, 'current' | 'placesUnder' | 'everWritable' | 'commandUid'>;
  /** The directories of all workspaces. */
  workspaces(): readonly string[];
};

export function oneShotSession(
  { model, effort }: Pick<SessionRow, 'model' | 'effort'>,
  surroundings: Surroundings,
  services: Pick<RuntimeServices, 'config' | 'env' | 'version' | 'marker'>,
): { backend(host: BackendHost): AgentBackend } {
  const { config, version, marker } = services;
  const { timeoutMs, graceMs } = config.codex.oneShot;
  const { cwd } = surroundings.place;
  const program = codexProgram(surroundings, services);
  const env: Record<string, string> = { ...oneShotEnvironment(services), [MARKER_VARIABLE]: marker };
  const codexHome = env.CODEX_HOME ?? config.codexHome;
  return {
    backend: (host) =>
      new CodexOneShot({
        codex: { program, cwd, env, version },
        held: () => threadSettings(surroundings, { program: program(), codexHome }, config),
        ...{ model, effort, timeoutMs, graceMs, host },
      }),
  };
}

/**
 * What `thread/start` says of what Codex may do. Not the directory: it is that of the process, and Codex would trust one
 * that is named for good. Throws `agent.codex-user`, `agent.codex-permissions`.
 */
export function threadSettings(
  { place, permissions }: Pick<Surroundings, 'place' | 'permissions'>,
  { program, codexHome }: { program: string; codexHome: string },
  { codex, environment }: Pick<Config, 'codex' | 'environment'>,
): object {
  refuseAnotherUser(permissions.commandUid, place.cwd);
  const hold = oneShotHold(codex.oneShot.mode, permissions.current);
  const asked = { approvalPolicy: hold.approval, approvalsReviewer: hold.reviewer };
  const exclude = [...environment.exclude, ...Object.keys(codex.variables())];
  const config = exclude.length > 0 ? { 'shell_environment_policy.exclude': exclude } : {};
  if (hold.sandbox === 'danger-full-access') return { ...asked, sandbox: hold.sandbox, config };
  const home = real(codexHome);
  const plan = permissions.placesUnder(hold);
  const own: Place = { path: home, access: 'hidden', directory: true };
  const places = plan.some(({ path }) => path === home) ? plan : [...plan, own];
  const helpers = [join(home, 'tmp'), placeOfProgram(program, places)];
  const profile = permissionProfile(places, helpers, hold.network);
  return { ...asked, permissions: PROFILE, config: { ...config, [`permissions.${PROFILE}`]: profile } };
}

/** Nothing of the server's that looks like a secret, whatever commands get; then what the user has named for it. */
export function oneShotEnvironment({
  config,
  env,
}: Pick<RuntimeServices, 'config' | 'env'>): Record<string, string> {
  const { codex, environment } = config;
  const inherited = codexEnvironment(config, env, { ...environment, secrets: false });
  return { ...inherited, ...codex.variables(), ...codex.oneShot.variables() };
}

/** Codex runs as this server does, and may then more than commands that run as the owner of a directory. */
function refuseAnotherUser(uid: number, cwd: string): void {
  const own = process.getuid?.() ?? uid;
  if (uid === own) return;
  throw new Failure(
    'forbidden',
    'agent.codex-user',
    `commands in ${cwd} run as its owner, and Codex would run as the user of this server, who may do more; start this server as that owner, or do without Codex here`,
    { details: { cwd } },
  );
}

/** With links resolved; as it is written where there is nothing. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
