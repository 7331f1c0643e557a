/** The session of one run: loaded in this process, without a server, and with nobody who could be asked. */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { v7 as uuid } from 'uuid';
import { Rules } from '../../approvals/rules.ts';
import type { Config } from '../../base/config/config.ts';
import { ConfigStore } from '../../base/config/config-store.ts';
import { openDatabase } from '../../base/database.ts';
import { Failure, messageOf } from '../../base/errors.ts';
import { migrations } from '../../base/migrations.ts';
import { openStateDir } from '../../base/state-dir.ts';
import { CommandCeiling } from '../../exec/command-ceiling.ts';
import { forgoCoreFiles } from '../../exec/core-files.ts';
import { Sandbox } from '../../exec/sandbox/sandbox.ts';
import { createRuntime } from '../../runtime/create-runtime.ts';
import { HookRunner } from '../../runtime/hooks/hook-runner.ts';
import { defaultModel, modelAccess } from '../../runtime/model-access.ts';
import type { SessionRuntime } from '../../runtime/runtime.ts';
import { findSession, insertSession, UNTOUCHED } from '../../runtime/session-rows.ts';
import type { Family } from '../../runtime/sub-agents/family.ts';
import { Workplaces } from '../../runtime/workplaces.ts';
import { rolloutPath } from '../../session/rollout.ts';
import { toolNames } from '../../tools/registry.ts';
import { homesOf } from '../agent-homes.ts';
import { codeDirectory, programVersion } from '../find-up.ts';
import type { Held } from '../held.ts';
import type { ExecFlags } from './exec-flags.ts';
import { execPlace } from './exec-place.ts';
import { resumedSession } from './resumed-session.ts';

/** Tools that need somebody who answers, or a session that goes on after its turn. */
const POINTLESS = ['request_user_input', 'request_permissions', 'clock'];

export type ExecSurroundings = {
  cwd: string;
  /** Keys of providers are taken out of it, so that no child process inherits them. */
  env: Record<string, string | undefined>;
  /** A fault of ours. */
  fault(what: string, error: unknown): void;
};

/**
 * Loads or makes the session; what it holds on to is added to `held`. `schema`: what the last message has to fit.
 * Throws `Failure` for what is wrong with flags, configuration, directory or session.
 */
export async function openExecSession(
  flags: ExecFlags,
  schema: Record<string, unknown> | undefined,
  { cwd: here, env, fault }: ExecSurroundings,
  held: Held,
): Promise<SessionRuntime> {
  const codexHome = resolve(env.CODEX_HOME || join(homedir(), '.codex'));
  const configs = await ConfigStore.open({
    ...{ codexHome, cwd: here, env, profile: flags.profile, overrides: flags.overrides },
    ...{ sandboxMode: flags.sandbox, approvalPolicy: 'never' },
    ...{ configPath: undefined, systemPrompt: undefined, toolset: undefined },
    toolNames: async () => toolNames(),
    hide(names) {
      for (const name of names) delete env[name];
    },
  });
  held.add(() => configs.close());
  const asked = { resume: flags.resume, cwd: directory(resolve(here, flags.cd ?? '.')) };
  const resumed = asked.resume && (await resumedSession(codexHome, asked.resume, asked.cwd));
  const cwd = directory(resolve(here, flags.cd ?? resumed?.cwd ?? '.'));
  const place = { profile: flags.profile ?? null, directory: cwd, workspaces: [] };
  const config = withFlags(await configs.of(place), flags, here);
  const stateDir = openStateDir({ flag: flags.stateDir, env, codexHome });
  const { dir: ownDir, marker } = await execPlace(stateDir, held);
  // what outlives the run is the conversation's file
  const db = openDatabase(join(ownDir, 'state.sqlite'), { migrations, warn: () => undefined });
  held.add(() => db.close());
  const sandbox = new Sandbox({ bwrap: config.sandbox.bwrap, dir: join(ownDir, 'sandbox') });
  // what confines nothing need not wait for what the machine can do
  const tried = config.permissions.sandbox === 'danger-full-access' ? null : sandbox.again();
  await Promise.all([tried, forgoCoreFiles()]);
  const hooks = new HookRunner({ cwd: codexHome, env, marker });
  held.add(() => hooks.finish());
  const id = resumed?.id ?? uuid();
  const now = new Date();
  await insertSession(db, {
    ...{ id, workspaceId: 'exec', title: null, cwd, backend: 'native' },
    ...{ model: flags.model ?? defaultModel(config), effort: null, profile: config.profile },
    rolloutPath: resumed?.path ?? rolloutPath(codexHome, id, now),
    ...{ createdAt: resumed?.createdAt ?? now.toISOString(), lastActivityAt: now.toISOString() },
    ...UNTOUCHED,
  });
  const row = findSession(db, id);
  if (!row) throw new Error('the session was not kept');
  const surroundings = {
    ...{ boardPath: () => null, onChange: () => undefined, outputSchema: schema },
    ...{ family: ALONE, directory: async () => cwd, fork: alone },
    sessions: { list: () => [], find: () => [], open: alone },
    workspace: () => ({ dir: cwd, permissions: {}, otherDirs: [] }),
  };
  const session = await createRuntime(row, surroundings, {
    ...{ db, config, stateDir, marker, sandbox, hooks, env, fault },
    models: modelAccess({ config, again: () => configs.of(place), version: programVersion() }),
    version: programVersion(),
    rules: new Rules(codexHome),
    codeDir: codeDirectory(),
    files: { secret: [...configs.profileFiles], kept: [] },
    homes: homesOf(sandbox.owners),
    ceiling: new CommandCeiling(),
    workplaces: new Workplaces(),
  });
  held.add(() => session.unload('close'));
  return session;
}

/** Nothing here starts another session: there is no tool for it, and no command. */
async function alone(): Promise<never> {
  throw new Failure('conflict', 'exec.alone', 'tscodex exec has one session');
}

const ALONE: Family = {
  agents: () => [],
  ...{ create: alone, find: alone, close: alone, reopen: alone, told: alone },
};

function directory(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new Failure('unavailable', 'exec.cwd', `cannot work in ${path}: ${messageOf(error)}`);
  }
}

function withFlags(config: Config, { addDirs }: ExecFlags, here: string): Config {
  const { sandbox, disabledTools } = config;
  const writableRoots = [...sandbox.writableRoots, ...addDirs.map((dir) => resolve(here, dir))];
  return {
    ...config,
    sandbox: { ...sandbox, writableRoots },
    disabledTools: [...disabledTools, ...POINTLESS],
    // one turn of one agent
    agents: { maxThreads: 0, maxDepth: 0 },
  };
}
