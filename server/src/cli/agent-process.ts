/**
 * What sessions need that are loaded without a server of workspaces, by `tscodex exec` and `tscodex app-server`. What
 * outlives the process are the files of their conversations.
 */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ApprovalPolicy, SandboxMode } from '@tscodex/shared/permissions';
import { Rules } from '../approvals/rules.ts';
import { CodexVersions } from '../backends/codex-process/codex-version.ts';
import type { Config } from '../base/config/config.ts';
import { type ConfigPlace, ConfigStore } from '../base/config/config-store.ts';
import { type Database, openDatabase } from '../base/database.ts';
import { Failure } from '../base/errors.ts';
import { migrations } from '../base/migrations.ts';
import { openStateDir } from '../base/state-dir.ts';
import { CommandCeiling } from '../exec/command-ceiling.ts';
import { forgoCoreFiles } from '../exec/core-files.ts';
import { Sandbox } from '../exec/sandbox/sandbox.ts';
import { createRuntime, type RuntimeServices, type SessionSurroundings } from '../runtime/create-runtime.ts';
import { HookRunner } from '../runtime/hooks/hook-runner.ts';
import { modelAccess, type SessionModels } from '../runtime/model-access.ts';
import type { SessionRuntime } from '../runtime/runtime.ts';
import { findSession, insertSession, type SessionRow } from '../runtime/session-rows.ts';
import type { Family } from '../runtime/sub-agents/family.ts';
import { Workplaces } from '../runtime/workplaces.ts';
import { GivenNames } from '../session/given-names.ts';
import { toolNames } from '../tools/registry.ts';
import { homesOf } from './agent-homes.ts';
import { codeDirectory, programVersion } from './find-up.ts';
import type { Held } from './held.ts';
import { processPlace } from './process-place.ts';

/** Of the command line; undefined: as the configuration says. */
export type ProcessFlags = {
  overrides: string[];
  profile: string | undefined;
  sandbox: SandboxMode | undefined;
  approval: ApprovalPolicy | undefined;
  stateDir: string | undefined;
};

export type ProcessSurroundings = {
  cwd: string;
  /** Keys of providers are taken out of it, so that no child process inherits them. */
  env: Record<string, string | undefined>;
  /** A fault of ours. */
  fault(what: string, error: unknown): void;
};

/** How the models of a configuration are reached. */
export type ModelsOf = (config: Config, again: () => Promise<Config>) => SessionModels;

export type AgentProcess = {
  configs: ConfigStore;
  /** Opens the same configuration with more settings over it, `KEY=VALUE` each. Throws as `openAgentProcess`. */
  configsWith(overrides: readonly string[]): Promise<ConfigStore>;
  modelsOf: ModelsOf;
  /** For what does not outlive the process, like images that are sent. */
  dir: string;
  stateDir: string;
  version: string;
  db: Database;
  sandbox: Sandbox;
  names: GivenNames;
  /** Loads a session that is in the database, or is put there first. */
  load(row: SessionRow, of: LoadedWith): Promise<SessionRuntime>;
};

export type LoadedWith = Partial<
  Pick<SessionSurroundings, 'directory' | 'family' | 'outputSchema' | 'workspace'>
> & {
  config: Config;
  place: ConfigPlace;
};

/** What it holds on to is added to `held`. Throws `Failure` for what is wrong with flags and configuration. */
export async function openAgentProcess(
  flags: ProcessFlags,
  { cwd, env, fault }: ProcessSurroundings,
  held: Held,
  modelsOf: ModelsOf = (config, again) => modelAccess({ config, again, version: programVersion() }),
): Promise<AgentProcess> {
  const codexHome = resolve(env.CODEX_HOME || join(homedir(), '.codex'));
  // keys are read each time, and are nobody else's from the first time on
  const given = { ...env };
  const open = (overrides: string[]) =>
    ConfigStore.open({
      ...{ codexHome, cwd, env: given, profile: flags.profile, overrides },
      ...{ sandboxMode: flags.sandbox, approvalPolicy: flags.approval },
      ...{ configPath: undefined, systemPrompt: undefined, toolset: undefined },
      toolNames: async () => toolNames(),
      hide(names) {
        for (const name of names) delete env[name];
      },
    });
  const configs = await open(flags.overrides);
  const stores = [configs];
  // after the sessions, whenever they were opened
  held.add(() => {
    for (const store of stores) store.close();
  });
  const stateDir = openStateDir({ flag: flags.stateDir, env, codexHome });
  const { dir, marker } = await processPlace(stateDir, held);
  // what outlives the process are the files of conversations
  const db = openDatabase(join(dir, 'state.sqlite'), {
    ...{ migrations, warn: () => undefined },
    synchronous: 'OFF',
  });
  held.add(() => db.close());
  const sandbox = new Sandbox({ bwrap: configs.current.sandbox.bwrap, dir: join(dir, 'sandbox') });
  await forgoCoreFiles();
  const hooks = new HookRunner({ cwd: codexHome, env, marker });
  held.add(() => hooks.finish());
  const names = new GivenNames(codexHome);
  held.add(() => names.settled);
  const version = programVersion();
  const shared: Omit<RuntimeServices, 'config' | 'models'> = {
    ...{ db, stateDir, marker, sandbox, hooks, env, fault, version },
    imagesIn: dir,
    rules: new Rules(codexHome),
    codeDir: codeDirectory(),
    files: { secret: [...configs.profileFiles], kept: [] },
    homes: homesOf(sandbox.owners),
    ceiling: new CommandCeiling(),
    codexVersions: new CodexVersions(),
    workplaces: new Workplaces(),
    names,
  };
  return {
    ...{ configs, stateDir, dir, version, db, sandbox, names, modelsOf },
    async configsWith(overrides) {
      const more = await open([...flags.overrides, ...overrides]);
      stores.push(more);
      return more;
    },
    async load(row, { config, place, ...own }) {
      if (!findSession(db, row.id)) await insertSession(db, row);
      const workspace = () => ({ dir: row.cwd, permissions: {}, otherDirs: [] });
      const alone = { ...ALONE, directory: async () => row.cwd, workspace };
      const models = modelsOf(config, () => configs.of(place));
      return createRuntime(row, { ...alone, ...own }, { ...shared, config, models });
    },
  };
}

/** Its commands open no others; its agent starts some only where whoever loads it keeps them. */
async function none(): Promise<never> {
  throw new Failure(
    'conflict',
    'session.alone',
    'Only the server of workspaces opens other sessions from here.',
  );
}

const FAMILY: Family = {
  agents: () => [],
  ...{ create: none, find: none, close: none, reopen: none, told: none },
};

const ALONE = {
  ...{ boardPath: () => null, onChange: () => undefined, family: FAMILY, fork: none },
  sessions: { list: () => [], find: () => [], open: none },
};
