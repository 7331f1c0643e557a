/** The server of `tscodex-ws`, put together: configuration, state, workspaces, web server. */
import type { AddressInfo } from 'node:net';
import { homedir, hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { SandboxProblem } from '@tscodex/shared/permissions';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Rules } from '../approvals/rules.ts';
import { CodexVersions } from '../backends/codex-process/codex-version.ts';
import { ConfigStore } from '../base/config/config-store.ts';
import { type Database, openDatabase } from '../base/database.ts';
import { Failure, messageOf } from '../base/errors.ts';
import { lockStateDir, type StateDirLock } from '../base/file-lock.ts';
import { migrations } from '../base/migrations.ts';
import { loginToken, openStateDir } from '../base/state-dir.ts';
import { baseInstructions } from '../context/base-instructions.ts';
import { CommandCeiling } from '../exec/command-ceiling.ts';
import { forgoCoreFiles } from '../exec/core-files.ts';
import { Sandbox } from '../exec/sandbox/sandbox.ts';
import { sandboxLine } from '../exec/sandbox/sandbox-fixes.ts';
import { sweep } from '../exec/sweep.ts';
import { buildApp } from '../http/app.ts';
import { databaseLoginStore } from '../http/auth/login-store.ts';
import { derive } from '../http/auth/secrets.ts';
import { SavedRules } from '../runtime/asks/saved-rules.ts';
import { sweepAttachments } from '../runtime/attachments/attachment-sweep.ts';
import type { RuntimeServices } from '../runtime/create-runtime.ts';
import { sweepDeleted } from '../runtime/deleted-sessions.ts';
import { HookRunner } from '../runtime/hooks/hook-runner.ts';
import { modelAccess } from '../runtime/model-access.ts';
import { Workplaces } from '../runtime/workplaces.ts';
import { Catalog } from '../session/catalog/catalog.ts';
import { GivenNames } from '../session/given-names.ts';
import { WorkspaceManager } from '../workspace/manager.ts';
import type { EditPlace } from '../workspace/workspace-edits.ts';
import { homesOf } from './agent-homes.ts';
import { codexLine } from './codex-line.ts';
import { codeDirectory, programVersion, publicDirectory } from './find-up.ts';
import type { Flags } from './flags.ts';
import { Held } from './held.ts';
import { serverFiles } from './server-files.ts';
import { serverUrl, startUpLines } from './start-up-lines.ts';
import { openWorkspaceList } from './workspace-list.ts';

/** What the server has from its process. */
export type Surroundings = {
  cwd: string;
  /** Keys of providers are taken out of it, so that no child process inherits them. */
  env: Record<string, string | undefined>;
  password: string | null;
  log: Logger;
};

export type RunningServer = {
  /** For stdout, not for the log: one of them may show the token. */
  lines: string[];
  /** Ends what runs and releases what is held. What waits goes on with the next start. */
  stop(): Promise<void>;
};

/** Resolves once the server listens. Throws `Failure`; nothing is held then. */
export async function serve(flags: Flags, from: Surroundings): Promise<RunningServer> {
  const held = new Held();
  try {
    return await start(flags, from, held);
  } catch (error) {
    await held.release().catch((fault) => from.log.error({ err: fault }, 'could not release everything'));
    throw error;
  }
}

async function start(flags: Flags, from: Surroundings, held: Held): Promise<RunningServer> {
  const { log, password } = from;
  const state = await openState(flags, from, held);
  const { db, stateDir, configs } = state;
  const { codexHome } = configs.current;
  const list = await openWorkspaceList({
    ...{ flag: flags.workspaceConfig, cwd: from.cwd, stateDir, codexHome, db },
  });
  let told: WorkspaceManager | null = null;
  const sandbox = await openSandbox(state, log, () => told?.showPermissions());
  const rules = new Rules(codexHome);
  const codexVersions = new CodexVersions();
  const hooks = new HookRunner({ cwd: codexHome, env: from.env, marker: markerOf(state) });
  // after the sessions have left
  held.add(() => hooks.finish());
  const workspaces = await openWorkspaces(list, from, {
    ...state,
    ...{
      sandbox,
      rules,
      hooks,
      codexVersions,
      files: serverFiles(flags, from, list.file.path, configs.profileFiles),
    },
  });
  told = workspaces;
  held.add(() => workspaces.close());
  const machineName = hostname();
  const app = await buildApp({
    ...{ workspaces, catalog: workspaces.catalog, sandbox, rules: new SavedRules(rules, state.db) },
    logins: databaseLoginStore(state.db),
    token: state.token,
    password,
    authRequired: flags.auth,
    machineName,
    allowedHosts: flags.allowedHosts,
    publicUrl: flags.publicUrl,
    trustProxy: flags.trustProxy,
    basePath: flags.basePath,
    publicDir: publicDirectory(),
    version: state.version,
    logger: log,
  });
  held.add(() => app.close());
  held.add(() => codexVersions.close());
  const port = await listen(app, flags.listen);
  state.lock.announce({ pid: process.pid, port });
  state.catalog.start();
  sweepDeleted(state.db, state.stateDir).catch((error) =>
    log.error({ err: error }, 'could not sweep deleted sessions'),
  );
  sweepAttachments(state.db, state.stateDir).catch((error) =>
    log.error({ err: error }, 'could not sweep images'),
  );
  // afterwards: it starts a program
  void codexLine(() => workspaces.codex(), codexVersions, workspaces.usualBackends()).then(
    (line) => line && log[line.level](line.text),
  );
  workspaces.resumeUnfinished().catch((error) => log.error({ err: error }, 'could not go on where it was'));
  const lines = startUpLines({
    version: state.version,
    url: serverUrl({ ...flags, host: flags.listen.host, port, machineName }),
    auth: flags.auth,
    token: flags.auth && password === null ? state.token : null,
    sandbox: sandboxLine(sandbox.problem, configs.current),
    workspaces: workspaces.list(),
  });
  return { lines, stop: () => held.release() };
}

type State = {
  configs: ConfigStore;
  stateDir: string;
  lock: StateDirLock;
  db: Database;
  catalog: Catalog;
  names: GivenNames;
  token: string;
  version: string;
};

/** What is on disk, locked against a second server. */
async function openState(flags: Flags, from: Surroundings, held: Held): Promise<State> {
  const { env, log } = from;
  const codexHome = resolve(env.CODEX_HOME || join(homedir(), '.codex'));
  const configs = await openConfigs(flags, from, codexHome);
  held.add(() => configs.close());
  for (const { message } of [...configs.report.problems, ...configs.report.notices]) log.warn(message);
  const stateDir = openStateDir({ flag: flags.stateDir, env, codexHome });
  const lock = lockStateDir(stateDir, { pid: process.pid, port: flags.listen.port });
  held.add(() => lock.release());
  const db = openDatabase(join(stateDir, 'state.sqlite'), { migrations, warn: (text) => log.warn(text) });
  held.add(() => db.close());
  const catalog = new Catalog({
    ...{ codexHome, stateDir, warn: (text) => log.warn(text) },
    fault: (what, error) => log.error({ err: error }, what),
  });
  held.add(() => catalog.close());
  const names = new GivenNames(codexHome);
  held.add(() => names.settled);
  return {
    configs,
    stateDir,
    lock,
    db,
    catalog,
    names,
    token: loginToken(stateDir),
    version: programVersion(),
  };
}

/** Throws also what only sessions would meet: a server that nobody can use is not to start. */
async function openConfigs(
  flags: Flags,
  { cwd, env }: Surroundings,
  codexHome: string,
): Promise<ConfigStore> {
  const configs = await ConfigStore.open({
    ...{ codexHome, cwd, env, profile: flags.profile, overrides: flags.overrides },
    ...{ sandboxMode: flags.sandbox, approvalPolicy: flags.approval },
    ...{ systemPrompt: flags.systemPrompt, toolset: flags.toolset },
    configPath: flags.config === undefined ? undefined : resolve(cwd, flags.config),
    // they are loaded with the first session otherwise
    toolNames: async () => (await import('../tools/registry.ts')).toolNames(),
    hide(names) {
      for (const name of names) delete env[name];
    },
  });
  await baseInstructions(configs.current.instructions).catch((error) => {
    configs.close();
    throw error;
  });
  return configs;
}

/** Tries out whether this machine can confine commands; the log says so now and whenever that changes. */
async function openSandbox(
  { configs, stateDir }: State,
  log: Logger,
  onChange: () => void,
): Promise<Sandbox> {
  const config = configs.current;
  const tell = (problem: SandboxProblem | null) => {
    const isHeld = !problem && config.permissions.sandbox !== 'danger-full-access';
    log[isHeld ? 'info' : 'warn'](sandboxLine(problem, config));
  };
  return Sandbox.open({
    ...{ bwrap: config.sandbox.bwrap, dir: join(stateDir, 'sandbox') },
    changed(problem) {
      tell(problem);
      onChange();
    },
  });
}

async function openWorkspaces(
  list: EditPlace,
  { env, log }: Surroundings,
  state: State & Pick<RuntimeServices, 'sandbox' | 'rules' | 'hooks' | 'codexVersions' | 'files'>,
): Promise<WorkspaceManager> {
  const marker = markerOf(state);
  const [ended] = await Promise.all([sweep(marker), forgoCoreFiles()]);
  if (ended > 0) log.warn({ ended }, 'ended processes that a crash had left');
  return new WorkspaceManager(
    { ...list, warn: (text) => log.warn(text) },
    {
      ...state,
      env,
      marker,
      ceiling: new CommandCeiling(),
      workplaces: new Workplaces(),
      codeDir: codeDirectory(),
      homes: homesOf(state.sandbox.owners),
      modelsOf: (config, again) => modelAccess({ config, again, version: state.version }),
      fault: (what, error) => log.error({ err: error }, what),
    },
  );
}

/** In the environment of all that this server starts, the same at each start. */
function markerOf({ token }: Pick<State, 'token'>): string {
  return derive(token, 'marker').slice(0, 16);
}

/** The port that is listened on. */
async function listen(app: FastifyInstance, { host, port }: Flags['listen']): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    const inUse = (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
    const reason = inUse ? 'something listens there already' : messageOf(cause);
    const message = `cannot listen on ${host}, port ${port}: ${reason}; choose another with --listen HOST:PORT`;
    throw new Failure('unavailable', inUse ? 'listen.inUse' : 'listen.failed', message, { cause });
  }
  return (app.server.address() as AddressInfo).port;
}
