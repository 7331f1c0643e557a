/** What a session is from its first moment on: its agent, model, directory and file, before anything is said in it. */
import { isCodex } from '@tscodex/shared/lacks';
import type { Backend, NewSession } from '@tscodex/shared/workspace';
import { v7 as uuid } from 'uuid';
import { Failure } from '../base/errors.ts';
import { checkEffort } from '../runtime/efforts.ts';
import { defaultModel } from '../runtime/model-access.ts';
import { insertSession, UNTOUCHED } from '../runtime/session-rows.ts';
import { titleOf } from '../runtime/title.ts';
import { rolloutPath } from '../session/rollout.ts';
import type { ServerServices } from './session-services.ts';

/** The workspace, the directory, and the agent that sessions there have where nobody chooses one. */
export type NewSessionPlace = { id: string; cwd: string; backend?: Backend | undefined };

type Services = Pick<ServerServices, 'db' | 'configs' | 'modelsOf' | 'names' | 'fault'> & {
  /** Those of all workspaces. */
  directories: string[];
};

/** @returns its id. Throws `session.profile`, `model.effort`, and what a broken configuration throws. */
export async function insertNewSession(
  { id: workspaceId, cwd, backend: usual }: NewSessionPlace,
  { title, profile, model, effort, backend: asked }: NewSession,
  { db, configs, modelsOf, names, fault, directories }: Services,
): Promise<string> {
  const config = await configs.of({ profile: profile ?? null, directory: cwd, workspaces: directories });
  if (profile !== undefined) expectProfile(profile, configs);
  const backend = asked ?? usual ?? config.backend;
  // Codex has a configuration of its own, and says what it takes
  const name = model || (isCodex(backend) ? null : defaultModel(config));
  if (effort && name !== null)
    checkEffort(name, effort, modelsOf(config, async () => config).facts(name).efforts);
  const id = uuid();
  const now = new Date();
  const given = titleOf(title ?? '');
  await insertSession(db, {
    ...{ id, workspaceId, title: given, cwd },
    ...{ model: name, effort: effort || null, profile: config.profile },
    ...{ backend, rolloutPath: rolloutPath(config.codexHome, id, now) },
    ...{ createdAt: now.toISOString(), lastActivityAt: now.toISOString() },
    ...UNTOUCHED,
  });
  if (given !== null)
    names.give(id, given).catch((error) => fault('tell Codex what a session is called', error));
  return id;
}

/** Throws `session.profile`. */
function expectProfile(name: string, { profiles }: ServerServices['configs']): void {
  if (profiles.some((profile) => profile.name === name)) return;
  const known = profiles.map((profile) => profile.name).join(', ');
  const message = `There is no profile ${JSON.stringify(name)}${known && `; there are ${known}`}.`;
  throw new Failure('invalid', 'session.profile', message, { details: { name, known } });
}
