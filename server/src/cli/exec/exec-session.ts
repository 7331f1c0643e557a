/** The session of one run: loaded in this process, without a server, and with nobody who could be asked. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import onAgents from '@tscodex/prompts/exec-agents.md';
import { v7 as uuid } from 'uuid';
import type { Config } from '../../base/config/config.ts';
import { Failure, messageOf } from '../../base/errors.ts';
import { Attachments } from '../../runtime/attachments/attachments.ts';
import { defaultModel } from '../../runtime/model-access.ts';
import type { SessionRuntime } from '../../runtime/runtime.ts';
import { UNTOUCHED } from '../../runtime/session-rows.ts';
import { rolloutPath } from '../../session/rollout.ts';
import { openAgentProcess, type ProcessSurroundings } from '../agent-process.ts';
import type { Held } from '../held.ts';
import { StartedAgents } from '../started-agents.ts';
import type { ExecFlags } from './exec-flags.ts';
import { keepImages } from './exec-images.ts';
import { resumedSession } from './resumed-session.ts';

const WORKSPACE = 'exec';

/** Tools that need somebody who answers, or a session that goes on after its turn. */
const POINTLESS = ['request_user_input', 'request_permissions', 'clock'];

export type ExecSession = {
  session: SessionRuntime;
  /** Ids of those that go with the prompt. */
  images: string[];
  /** Nothing starts in it from here on. Also done as `held` is released. */
  close(): Promise<void>;
};

/**
 * Loads or makes the session; what it holds on to is added to `held`. `schema`: what the last message has to fit.
 * Throws `Failure` for what is wrong with flags, configuration, directory or session.
 */
export async function openExecSession(
  flags: ExecFlags,
  schema: Record<string, unknown> | undefined,
  surroundings: ProcessSurroundings,
  held: Held,
): Promise<ExecSession> {
  const agents = await openAgentProcess({ ...flags, approval: 'never' }, surroundings, held);
  const { configs, sandbox } = agents;
  const { cwd: here } = surroundings;
  const { codexHome } = configs.current;
  const asked = { resume: flags.resume, cwd: directory(resolve(here, flags.cd ?? '.')) };
  const resumed = asked.resume && (await resumedSession(codexHome, asked.resume, asked.cwd));
  const cwd = directory(resolve(here, flags.cd ?? resumed?.cwd ?? '.'));
  const place = { profile: flags.profile ?? null, directory: cwd, workspaces: [] };
  const config = withFlags(await configs.of(place), flags, here);
  // what confines nothing need not wait for what the machine can do
  if (config.permissions.sandbox !== 'danger-full-access') await sandbox.again();
  // before there is a session: a picture that is none leaves nothing
  const paths = flags.images.map((path) => resolve(here, path));
  const images = await keepImages(paths, new Attachments(agents.db, agents.dir, WORKSPACE));
  const id = resumed?.id ?? uuid();
  const now = new Date();
  const row = {
    ...{ id, workspaceId: WORKSPACE, title: null, cwd, backend: 'native' },
    ...{ model: flags.model ?? defaultModel(config), effort: null, profile: config.profile },
    rolloutPath: resumed?.path ?? rolloutPath(codexHome, id, now),
    ...{ createdAt: resumed?.createdAt ?? now.toISOString(), lastActivityAt: now.toISOString() },
    ...UNTOUCHED,
  };
  const below = new StartedAgents(agents, { config, place });
  held.add(() => below.release());
  const told = { ...config, instructions: withWait(config) };
  const session = await agents.load(row, {
    config: told,
    place,
    outputSchema: schema,
    family: below.family(row),
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= session.unload('close');
    return closing;
  };
  held.add(close);
  return { session, images, close };
}

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
  };
}

/** No turn comes after this one in which the agent would be told of another one's end. */
function withWait({ agents, instructions }: Config): Config['instructions'] {
  if (agents.maxThreads === 0 || agents.maxDepth === 0) return instructions;
  const developer = [instructions.developer, onAgents.trim()].filter(Boolean).join('\n\n');
  return { ...instructions, developer };
}
