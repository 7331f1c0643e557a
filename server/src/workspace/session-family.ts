/** The sessions that one session's agent has started: made, loaded and ended like all others. */
import { v7 as uuid } from 'uuid';
import type { Config } from '../base/config/config.ts';
import type { Database } from '../base/database.ts';
import { openRollout } from '../runtime/open-rollout.ts';
import type { Session } from '../runtime/session-directory.ts';
import { insertSession, type SessionRow, UNTOUCHED } from '../runtime/session-rows.ts';
import { agentsOf, closeAgents, reopenAgent, setTold } from '../runtime/sub-agents/agent-rows.ts';
import type { Family, NewAgent } from '../runtime/sub-agents/family.ts';
import { rolloutPath } from '../session/rollout.ts';

type Ports = {
  db: Database;
  /** Of the session. */
  config: Pick<Config, 'codexHome' | 'model'>;
  version: string;
  /** The session as it is now: its directory may have changed since it was loaded. */
  parent(): SessionRow;
  find(id: string): Promise<Session>;
  close(id: string): Promise<void>;
};

export function sessionFamily(parentId: string, ports: Ports): Family {
  const { db, find, close } = ports;
  return {
    agents: () => agentsOf(db, parentId),
    async create(agent) {
      const row = await makeRow(agent, ports);
      try {
        return await find(row.id);
      } catch (error) {
        await closeAgents(db, [row.id]);
        throw error;
      }
    },
    ...{ find, close },
    async reopen(id) {
      // people may be reading it
      await close(id);
      await reopenAgent(db, id);
      return find(id);
    },
    told: (id, turnId) => setTold(db, id, turnId),
  };
}

async function makeRow(
  { nickname, backend: asked, model, effort, history }: NewAgent,
  { db, config, version, parent }: Ports,
): Promise<SessionRow> {
  const { id: parentId, workspaceId, cwd, profile, ...above } = parent();
  const backend = asked ?? above.backend;
  const id = uuid();
  const now = new Date();
  const at = now.toISOString();
  const row = {
    ...UNTOUCHED,
    ...{ id, workspaceId, parentId, nickname, title: nickname, cwd, profile, backend, model, effort },
    ...{ rolloutPath: rolloutPath(config.codexHome, id, now), createdAt: at, lastActivityAt: at },
  };
  await insertSession(db, row);
  if (history.length === 0) return row;
  const rollout = openRollout(row, { db, config, version });
  try {
    await rollout.recordItems(history);
  } finally {
    await rollout.close();
  }
  return row;
}
