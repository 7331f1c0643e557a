/**
 * The entries of `workspaces.json`: each is read for itself, so that one that is wrong is returned with its problem
 * and stops no other.
 */
import { createHash } from 'node:crypto';
import { access, constants, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, extname, join, resolve, sep } from 'node:path';
import { type Permissions, permissions } from '@tscodex/shared/permissions';
import { type Backend, backend, type Problem } from '@tscodex/shared/workspace';
import * as z from 'zod';
import { messageOf } from '../base/errors.ts';
import type { ConfigDocument } from './config-document.ts';
import { type AssignedId, assignIds, type EntryKey, workspaceId } from './entry-ids.ts';

export type WorkspaceEntry = {
  id: string;
  name: string;
  /** Its directory, symbolic links resolved; as it was written where there is a problem with it. */
  dir: string;
  /** The path that leads there, links and all; '' where none is written. */
  path: string;
  /** The directory whatever else is wrong, there or not: links resolved as far as it exists; '' where none is written. */
  place: string;
  board: { enabled: boolean; path: string };
  /** What it says for its sessions. */
  permissions: Partial<Permissions>;
  /** What drives its new sessions; undefined where it does not say. */
  backend?: Backend | undefined;
  /** Of the entry as it is written. */
  revision: string;
  /** What is wrong, and where in the file. */
  problem?: Problem;
  fault?: EntryFault;
  /** Where it has no id written: what it is known by. */
  key?: EntryKey;
};

/** The problem without its place in the file. */
export type EntryFault = Problem & {
  /** The key it is about, '' for the whole entry. */
  key: string;
};

/** Where boards must not lie, lest a page shows or an agent rewrites what is there; `except` is a place within. */
export type BoardPlaces = { forbidden: readonly string[]; except?: string };

export type EntryReading = {
  places: BoardPlaces;
  /** Ids of entries that have none written. */
  remembered?: ReadonlyMap<EntryKey, string>;
  /** Directories that are about to be made: taken as if they were there. */
  toBeMade?: ReadonlySet<string>;
};

const entryShape = z.object({
  id: workspaceId.optional(),
  name: z.string().trim().min(1).max(200).optional(),
  work_dir: z.string().optional(),
  cwd: z.string().optional(),
  board: z.string().min(1).optional(),
  enable_board: z.boolean().default(true),
  backend: backend.optional(),
  ...permissions.partial().shape,
});
type RawEntry = z.output<typeof entryShape>;

/** Thrown within this file for one entry. */
class EntryProblem extends Error {
  constructor(
    readonly code: string,
    readonly key: string,
    message: string,
    readonly details: Record<string, string> = {},
  ) {
    super(message);
  }
}

export async function readEntries(
  document: ConfigDocument,
  { places, remembered = new Map(), toBeMade = new Set() }: EntryReading,
): Promise<WorkspaceEntry[]> {
  const base = dirname(document.path);
  const boards = new Set<string>();
  const entries: WorkspaceEntry[] = [];
  const ids = assignIds(document.list, remembered);
  for (const [index, raw] of document.list.entries()) {
    const where = `${basename(document.path)}: ${document.at.join('')}[${index}]`;
    const assigned = ids[index] as AssignedId;
    entries.push(await readEntry(raw, { where, base, assigned, boards, places, toBeMade }));
  }
  return entries;
}

type EntryContext = {
  where: string;
  /** The directory that relative paths start from: the file's own. */
  base: string;
  assigned: AssignedId;
  /** Boards of the entries before. */
  boards: Set<string>;
  places: BoardPlaces;
  toBeMade: ReadonlySet<string>;
};

async function readEntry(raw: unknown, context: EntryContext): Promise<WorkspaceEntry> {
  const { taken, ...identity } = context.assigned;
  const written = writtenIn(raw);
  const dirWritten = written.work_dir ?? written.cwd ?? '';
  const path = dirWritten && pathFrom(context.base, dirWritten);
  const place = path && (await resolved(path));
  const about = { ...identity, path, place, revision: revisionOf(raw) };
  try {
    const entry = parseEntry(raw);
    if (taken !== undefined)
      throw new EntryProblem('entry.id', 'id', `${taken} is the id of an earlier entry`, { id: taken });
    const dir = await directoryOf(entry, context);
    const board = await boardOf(entry, { id: about.id, dir }, context);
    const says = { permissions: permissionsIn(entry), backend: entry.backend };
    return { ...about, name: entry.name ?? about.id, dir, board, ...says };
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    const { code, key, message, details } = error;
    const where = context.where + (key && `.${key}`);
    return {
      ...about,
      name: written.name ?? written.id ?? about.id,
      dir: dirWritten,
      board: { enabled: false, path: '' },
      permissions: permissionsIn(written),
      problem: {
        code,
        message: `${where}: ${message}`,
        details: { ...details, place: where, field: fieldOf(key) },
      },
      fault: { code, key, message, details },
    };
  }
}

/** What the one who edits an entry knows a key by. */
export function fieldOf(key: string): string {
  return key === 'work_dir' || key === 'cwd' ? 'dir' : key;
}

function revisionOf(raw: unknown): string {
  return createHash('sha256').update(JSON.stringify(raw)).digest('hex').slice(0, 16);
}

const optionalText = z.string().optional().catch(undefined);
const { sandbox, approval, network } = permissions.shape;
const sound = z.object({
  ...{ id: optionalText, name: optionalText, work_dir: optionalText, cwd: optionalText },
  sandbox: sandbox.optional().catch(undefined),
  approval: approval.optional().catch(undefined),
  network: network.optional().catch(undefined),
});

/** What can be told of an entry that may be broken. */
function writtenIn(raw: unknown): z.output<typeof sound> {
  return sound.safeParse(raw).data ?? {};
}

function parseEntry(raw: unknown): RawEntry {
  const parsed = entryShape.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new EntryProblem('entry.invalid', issue?.path.join('.') ?? '', issue?.message ?? 'not a workspace');
}

function permissionsIn(entry: Pick<RawEntry, 'sandbox' | 'approval' | 'network'>): Partial<Permissions> {
  const { sandbox, approval, network } = entry;
  return {
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(approval === undefined ? {} : { approval }),
    ...(network === undefined ? {} : { network }),
  };
}

async function directoryOf(entry: RawEntry, { base, toBeMade }: EntryContext): Promise<string> {
  const key = entry.work_dir === undefined && entry.cwd !== undefined ? 'cwd' : 'work_dir';
  const written = entry.work_dir ?? entry.cwd;
  if (!written) throw new EntryProblem('entry.noDir', key, 'is missing: name the directory to work in');
  const path = pathFrom(base, written);
  try {
    const real = await realpath(path);
    if (!(await stat(real)).isDirectory())
      throw new EntryProblem('entry.notDir', key, `${path} is not a directory`, { path });
    await access(real, constants.R_OK | constants.X_OK);
    return real;
  } catch (error) {
    if (error instanceof EntryProblem) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && toBeMade.has(path)) return await resolved(path);
    if (code === 'ENOENT')
      throw new EntryProblem('entry.dirMissing', key, `${path} does not exist`, { path });
    if (code === 'EACCES')
      throw new EntryProblem('entry.dirClosed', key, `${path} may not be read by this server's user`, {
        path,
      });
    throw new EntryProblem('entry.dir', key, messageOf(error), { path, reason: messageOf(error) });
  }
}

async function boardOf(
  entry: RawEntry,
  workspace: { id: string; dir: string },
  { base, boards, places, toBeMade }: EntryContext,
): Promise<WorkspaceEntry['board']> {
  const named = entry.board !== undefined;
  const written = named
    ? pathFrom(base, entry.board ?? '')
    : join(workspace.dir, '.tscodex', `${workspace.id}.html`);
  const path = await resolved(written);
  if (!entry.enable_board) return { enabled: false, path };
  const fault = (code: string, message: string) => new EntryProblem(code, 'board', message, { path });
  if (!/^\.html?$/i.test(extname(path))) throw fault('entry.boardKind', `${path} is no .html or .htm file`);
  if (isForbidden(path, places)) {
    const message = `${path} lies in the server's own directory: choose another place`;
    throw fault('entry.boardForbidden', message);
  }
  if (named && !toBeMade.has(dirname(written)) && !(await isDirectory(dirname(path))))
    throw new EntryProblem('entry.boardDir', 'board', `the directory ${dirname(path)} does not exist`, {
      path: dirname(path),
    });
  if (boards.has(path)) throw fault('entry.boardTaken', `${path} is the board of an earlier entry`);
  boards.add(path);
  return { enabled: true, path };
}

function isForbidden(path: string, { forbidden, except }: BoardPlaces): boolean {
  const within = (dir: string) => path.startsWith(dir + sep);
  return forbidden.some(within) && !(except !== undefined && within(except));
}

/** A path as a person writes it. */
export function pathFrom(base: string, written: string): string {
  return resolve(base, written.replace(/^~(?=$|\/)/, homedir()));
}

/** With symbolic links resolved as far as the path exists. */
export async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path); // not there yet, so its nearest directory that is counts
    return parent === path ? path : join(await resolved(parent), basename(path));
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}
