import type { ModelConfig } from '../base/config/model-config.ts';
import type { Database } from '../base/database.ts';
import { RolloutWriter } from '../session/rollout.ts';
import type { SessionMeta } from '../session/rollout-records.ts';
import type { SessionRow } from './session-rows.ts';
import { depthOf } from './sub-agents/agent-rows.ts';

type Services = { db: Database; config: { codexHome: string; model: ModelConfig }; version: string };

/** The file of a session, for writing. Throws `session.locked`. */
export function openRollout(row: SessionRow, services: Services): RolloutWriter {
  const { codexHome, model } = services.config;
  const meta = { ...rolloutMeta(row, services), ...providerMeta(model) };
  return RolloutWriter.open({ codexHome, path: row.rolloutPath, meta });
}

/** None of the demo model: a provider that nobody has configured would keep Codex from going on. */
export function providerMeta(model: ModelConfig): { model_provider?: string } {
  return model.kind === 'configured' ? { model_provider: model.provider.id } : {};
}

/** What a new file of a session says of it first. */
export function rolloutMeta(row: SessionRow, { db, version }: Pick<Services, 'db' | 'version'>): SessionMeta {
  const { id, createdAt: timestamp, cwd } = row;
  const made = row.parentId === null ? {} : { source: spawnedBy(row, depthOf(db, row)) };
  return { id, timestamp, cwd, originator: 'tscodex', cli_version: version, ...made };
}

/** By which Codex knows a session that an agent has started, and leaves it out of its lists. */
function spawnedBy({ parentId, nickname }: SessionRow, depth: number) {
  const spawn = { parent_thread_id: parentId, depth, agent_nickname: nickname, agent_role: null };
  return { subagent: { thread_spawn: spawn } };
}
