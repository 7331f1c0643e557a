import type { Database } from '../base/database.ts';
import { RolloutWriter } from '../session/rollout.ts';
import type { SessionMeta } from '../session/rollout-records.ts';
import type { SessionRow } from './session-rows.ts';
import { depthOf } from './sub-agents/agent-rows.ts';

/** The file of a session, for writing. Throws `session.locked`. */
export function openRollout(
  row: SessionRow,
  { db, codexHome, version }: { db: Database; codexHome: string; version: string },
): RolloutWriter {
  return RolloutWriter.open({ codexHome, path: row.rolloutPath, meta: rolloutMeta(row, { db, version }) });
}

/** What a new file of a session says of it first. */
export function rolloutMeta(
  row: SessionRow,
  { db, version }: { db: Database; version: string },
): SessionMeta {
  const { id, createdAt: timestamp, cwd } = row;
  const made = row.parentId === null ? {} : { source: spawnedBy(row, depthOf(db, row)) };
  return { id, timestamp, cwd, originator: 'tscodex', cli_version: version, ...made };
}

/** By which Codex knows a session that an agent has started, and leaves it out of its lists. */
function spawnedBy({ parentId, nickname }: SessionRow, depth: number) {
  const spawn = { parent_thread_id: parentId, depth, agent_nickname: nickname, agent_role: null };
  return { subagent: { thread_spawn: spawn } };
}
