/** A session that begins with the conversation of another one: its file, its outputs, its row. */
import { basename, join } from 'node:path';
import { TITLE_LIMIT } from '@tscodex/shared/limits';
import { v7 as uuid } from 'uuid';
import type { Config } from '../base/config/config.ts';
import { codexMeta } from '../runtime/codex-session.ts';
import { providerMeta } from '../runtime/open-rollout.ts';
import { Outputs } from '../runtime/outputs.ts';
import { markRecorded } from '../runtime/recorded-sessions.ts';
import { insertSession, type SessionRow, UNTOUCHED } from '../runtime/session-rows.ts';
import { rootOf } from '../runtime/sub-agents/agent-rows.ts';
import { ONE_SHOT } from '../runtime/sub-agents/family.ts';
import { forkRollout } from '../session/fork-rollout.ts';
import { rolloutPath } from '../session/rollout.ts';
import type { ServerServices } from './session-services.ts';

type Source = {
  /** Of its file, with all that was recorded so far. */
  path: string;
  before: string | undefined;
  /** Of the source, as it is configured now. */
  config: Config;
  /** Of the sessions beside it. */
  titles: readonly (string | null)[];
  /** Where its file is to lie; without it, among those of all sessions. */
  folder?: string | undefined;
};

/**
 * Works where its source does, by the same model and under the same permissions. What people have allowed, what waits
 * and what runs there stays there. Returns its id. Throws what `forkRollout` does.
 */
export async function forkSession(
  row: SessionRow,
  { path, before, config, titles, folder }: Source,
  { db, stateDir, version }: Pick<ServerServices, 'db' | 'stateDir' | 'version'>,
): Promise<string> {
  const id = uuid();
  // what was set for an agent's parent holds for the agent
  const { sandbox, approval, network } = rootOf(db, row);
  const now = new Date();
  const at = now.toISOString();
  const usual = rolloutPath(config.codexHome, id, now);
  const to = folder === undefined ? usual : join(folder, basename(usual));
  const made = { originator: 'tscodex', cli_version: version, forked_from_id: row.id };
  const forCodex = row.backend === 'codex' ? codexMeta(config, { isSubAgent: false }) : {};
  const meta = { id, timestamp: at, cwd: row.cwd, ...made, ...providerMeta(config.model), ...forCodex };
  const { hasMessages, longOutputs } = await forkRollout({ from: path, to, before, meta });
  if (longOutputs.size > 0) await new Outputs(stateDir, row.id).share(longOutputs, new Outputs(stateDir, id));
  await db.write((run) => markRecorded(run, id));
  await insertSession(db, {
    ...row,
    ...UNTOUCHED,
    ...{ id, rolloutPath: to, createdAt: at, lastActivityAt: at },
    ...{ sandbox, approval, network },
    // a Codex that has answered goes on with nothing: what goes on is our agent
    backend: row.backend === ONE_SHOT ? 'native' : row.backend,
    // where nothing was said yet the first message will name it
    title: hasMessages && row.title !== null ? copyTitle(row.title, titles) : null,
  });
  return id;
}

/** `Title (2)`, or the next number that nobody has. */
function copyTitle(title: string, taken: readonly (string | null)[]): string {
  const plain = title.replace(/ \(\d+\)$/, '');
  for (let n = 2; ; n++) {
    const number = ` (${n})`;
    const copy = plain.slice(0, TITLE_LIMIT - number.length) + number;
    if (!taken.includes(copy)) return copy;
  }
}
