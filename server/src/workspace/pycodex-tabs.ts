/**
 * Tabs of pycodex-ws, which keeps them in `<board>.pycodex-ws.json` beside the board. They become sessions of their
 * workspace once; the old file is left alone, so that one can go back.
 */
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { TITLE_LIMIT } from '@tscodex/shared/limits';
import * as z from 'zod';
import type { Database } from '../base/database.ts';
import { messageOf } from '../base/errors.ts';
import { readRegularFile } from '../base/regular-file.ts';
import { defaultModel } from '../runtime/model-access.ts';
import {
  findClosedSession,
  findSession,
  insertSession,
  type SessionRow,
  UNTOUCHED,
} from '../runtime/session-rows.ts';
import { readRolloutMeta, threadIdOf } from '../session/rollout-meta.ts';
import type { WorkspaceEntry } from './config-file.ts';
import { sessionCwd } from './session-cwd.ts';
import type { ServerServices } from './session-services.ts';

const STATE_LIMIT = 1024 * 1024;
const TABS_LIMIT = 200;

const tab = z.object({ title: z.string().nullish().catch(null), rollout_path: z.string().min(1) });
const state = z.object({ tabs: z.array(tab.or(z.unknown().transform(() => null))) });

/** Takes the tabs over unless that was done before; returns whether it did. What is left out is told to `warn`. */
export async function importTabs(
  workspace: WorkspaceEntry,
  services: ServerServices,
  warn: (text: string) => void,
): Promise<boolean> {
  if (workspace.problem || !workspace.board.path) return false;
  const path = workspace.board.path.replace(/\.[^./]*$/, '.pycodex-ws.json');
  const { db } = services;
  const fact = `pycodex.tabs ${path}`;
  try {
    if (db.read('SELECT 1 FROM facts WHERE key = ?', fact).length > 0) return false;
    const tabs = await readTabs(path);
    const rows = await rowsOf(tabs ?? [], { workspace, services, path, warn });
    const mark = (key: string) =>
      db.write('INSERT OR REPLACE INTO facts (key, value) VALUES (?, ?)', key, new Date().toISOString());
    // one tick, one commit: all of them and the marks. Also that there was no list is marked: agents can write one
    // later, with the conversations of other people
    await Promise.all([
      ...rows.flatMap((row) => [insertSession(db, row), mark(importedFact(row.id))]),
      mark(fact),
    ]);
    return rows.length > 0;
  } catch (error) {
    warn(`${path}: its tabs are left out: ${messageOf(error)}`);
    return false;
  }
}

/** Whether a session was one of pycodex-ws: it has had a file from the start. */
export function isImported(db: Database, sessionId: string): boolean {
  return db.read('SELECT 1 FROM facts WHERE key = ?', importedFact(sessionId)).length > 0;
}

function importedFact(sessionId: string): string {
  return `pycodex.session ${sessionId}`;
}

type Tab = z.output<typeof tab>;

/** null when there is no such file. */
async function readTabs(path: string): Promise<Tab[] | null> {
  const found = await readRegularFile(path, STATE_LIMIT).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found === null) return null;
  if (typeof found === 'string') throw new Error('it is no list of tabs');
  const { tabs } = state.parse(JSON.parse(found.toString()));
  return tabs.filter((one) => one !== null).slice(0, TABS_LIMIT);
}

type Import = {
  workspace: WorkspaceEntry;
  services: ServerServices;
  path: string;
  warn(text: string): void;
};

/** Of forks that have no file yet several tabs name the same one: it is one session. */
async function rowsOf(tabs: readonly Tab[], context: Import): Promise<SessionRow[]> {
  const rows = new Map<string, SessionRow>();
  for (const one of tabs) {
    try {
      const row = await rowOf(one, context);
      const { db } = context.services;
      if (!rows.has(row.id) && !findSession(db, row.id) && !findClosedSession(db, row.id))
        rows.set(row.id, row);
    } catch (error) {
      context.warn(`${context.path}: the tab of ${one.rollout_path} is left out: ${messageOf(error)}`);
    }
  }
  return [...rows.values()];
}

/** Throws why there is no such session. */
async function rowOf(one: Tab, { workspace, services, path }: Import): Promise<SessionRow> {
  const config = services.configs.current;
  const rolloutPath = await conversationAt(resolve(dirname(path), one.rollout_path), config.codexHome);
  const { mtime } = await stat(rolloutPath);
  // one that cannot be read is shown as what it is: broken
  const unknown = { id: threadIdOf(rolloutPath), cwd: null, createdAt: null };
  const meta = await readRolloutMeta(rolloutPath).catch(() => unknown);
  const id = z.uuid().safeParse(meta.id.toLowerCase()).data;
  if (id === undefined) throw new Error('it names no session');
  return {
    id,
    workspaceId: workspace.id,
    title: one.title?.replace(/\s+/g, ' ').trim().slice(0, TITLE_LIMIT) || null,
    cwd: await sessionCwd(workspace.dir, meta.cwd ?? undefined).catch(() => workspace.dir),
    ...{ rolloutPath, backend: 'native', model: defaultModel(config), effort: null, profile: config.profile },
    createdAt: isoTime(meta.createdAt) ?? mtime.toISOString(),
    lastActivityAt: mtime.toISOString(),
    ...UNTOUCHED,
  };
}

/**
 * Agents can write the list of tabs, and a session's file is written to: so only what lies among conversations is
 * taken for one.
 */
async function conversationAt(path: string, codexHome: string): Promise<string> {
  const real = await realpath(path);
  for (const home of [codexHome, join(homedir(), '.codex')])
    for (const kind of ['sessions', 'archived_sessions']) {
      const conversations = await realpath(join(home, kind)).catch(() => null);
      if (conversations !== null && real.startsWith(conversations + sep) && real.endsWith('.jsonl'))
        return real;
    }
  throw new Error(`it is no conversation in ${join(codexHome, 'sessions')}`);
}

function isoTime(text: string | null): string | null {
  const time = new Date(text ?? '');
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
