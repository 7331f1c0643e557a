/**
 * `workspaces.json`, the user's list of workspaces: a list, or an object with the list under `workspaces`. A file
 * that is no such thing is refused; an entry that is wrong is returned with its problem and stops no other.
 */
import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, extname, join, resolve, sep } from 'node:path';
import * as z from 'zod';
import { Failure, messageOf } from '../base/errors.ts';
import { jsonErrorPosition } from './json-position.ts';

export type WorkspaceEntry = {
  id: string;
  name: string;
  /** Its directory, symbolic links resolved; as it was written where there is a problem with it. */
  dir: string;
  board: { enabled: boolean; path: string };
  /** Of the entry as it is written. */
  revision: string;
  /** What is wrong, and where in the file. */
  problem?: string;
};

/** Where boards must not lie, lest a page shows or an agent rewrites what is there; `except` is a place within. */
export type BoardPlaces = { forbidden: readonly string[]; except?: string };

const entryShape = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,100}$/, 'may only contain letters, digits, "_" and "-" (at most 100)')
    .optional(),
  name: z.string().trim().min(1).max(200).optional(),
  work_dir: z.string().optional(),
  cwd: z.string().optional(),
  board: z.string().min(1).optional(),
  enable_board: z.boolean().default(true),
});
type RawEntry = z.output<typeof entryShape>;

/** Thrown within this file for one entry; `at` is the key below it. */
class EntryProblem extends Error {
  constructor(
    readonly at: string,
    message: string,
  ) {
    super(message);
  }
}

/** Reads the file; a missing one is an empty list. Throws `workspaces.config`. */
export async function readWorkspaceConfig(path: string, places: BoardPlaces): Promise<WorkspaceEntry[]> {
  const text = await readIfThere(path);
  if (text === null) return [];
  const { list, prefix } = entriesOf(path, text);
  const ids = new IdPool(list);
  const boards = new Set<string>();
  const entries: WorkspaceEntry[] = [];
  for (const [index, raw] of list.entries()) {
    const where = `${basename(path)}: ${prefix}[${index}]`;
    entries.push(await readEntry(raw, { where, base: dirname(resolve(path)), ids, boards, places }));
  }
  return entries;
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw refused(`cannot read ${path}: ${messageOf(error)}`);
  }
}

function entriesOf(path: string, text: string): { list: unknown[]; prefix: string } {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (error) {
    const { line, column } = jsonErrorPosition(text) ?? { line: 1, column: 1 };
    throw refused(`${path}:${line}:${column}: not valid JSON (${messageOf(error)})`);
  }
  if (Array.isArray(root)) return { list: root, prefix: '' };
  const list = (root as { workspaces?: unknown } | null)?.workspaces;
  if (Array.isArray(list)) return { list, prefix: 'workspaces' };
  throw refused(`${path}: needs a list of workspaces, as [ … ] or as {"workspaces": [ … ]}`);
}

function refused(message: string): Failure {
  return new Failure('invalid', 'workspaces.config', message);
}

type EntryContext = {
  where: string;
  /** The directory that relative paths start from: the file's own. */
  base: string;
  ids: IdPool;
  /** Boards of the entries before. */
  boards: Set<string>;
  places: BoardPlaces;
};

async function readEntry(raw: unknown, context: EntryContext): Promise<WorkspaceEntry> {
  let id: string | undefined;
  try {
    const entry = parseEntry(raw);
    id = context.ids.claim(entry.id);
    const dir = await directoryOf(entry, context.base);
    const board = await boardOf(entry, { id, dir }, context);
    return { id, name: entry.name ?? id, dir, board, revision: revisionOf(raw) };
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    const written = writtenIn(raw);
    id ??= context.ids.claim(undefined);
    return {
      id,
      name: written.name ?? written.id ?? id,
      dir: written.work_dir ?? written.cwd ?? '',
      board: { enabled: false, path: '' },
      revision: revisionOf(raw),
      problem: `${context.where}${error.at}: ${error.message}`,
    };
  }
}

function revisionOf(raw: unknown): string {
  return createHash('sha256').update(JSON.stringify(raw)).digest('hex').slice(0, 16);
}

const optionalText = z.string().optional().catch(undefined);
const texts = z.object({ id: optionalText, name: optionalText, work_dir: optionalText, cwd: optionalText });

/** What can be told of an entry that may be broken. */
function writtenIn(raw: unknown): z.output<typeof texts> {
  return texts.safeParse(raw).data ?? {};
}

function parseEntry(raw: unknown): RawEntry {
  const parsed = entryShape.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const at = issue?.path.map((key) => `.${String(key)}`).join('') ?? '';
  throw new EntryProblem(at, issue?.message ?? 'not a workspace');
}

async function directoryOf(entry: RawEntry, base: string): Promise<string> {
  const key = entry.work_dir === undefined && entry.cwd !== undefined ? '.cwd' : '.work_dir';
  const written = entry.work_dir ?? entry.cwd;
  if (!written) throw new EntryProblem(key, 'is missing: name the directory to work in');
  const path = pathFrom(base, written);
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    const gone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new EntryProblem(key, gone ? `${path} does not exist` : messageOf(error));
  }
  throw new EntryProblem(key, `${path} is not a directory`);
}

async function boardOf(
  entry: RawEntry,
  workspace: { id: string; dir: string },
  { base, boards, places }: EntryContext,
): Promise<WorkspaceEntry['board']> {
  const named = entry.board !== undefined;
  const written = named
    ? pathFrom(base, entry.board ?? '')
    : join(workspace.dir, '.tscodex', `${workspace.id}.html`);
  const path = await resolved(written);
  if (!entry.enable_board) return { enabled: false, path };
  if (!/^\.html?$/i.test(extname(path))) throw new EntryProblem('.board', `${path} is no .html or .htm file`);
  if (isForbidden(path, places))
    throw new EntryProblem('.board', `${path} lies in the server's own directory: choose another place`);
  if (named && !(await isDirectory(dirname(path))))
    throw new EntryProblem('.board', `the directory ${dirname(path)} does not exist`);
  if (boards.has(path)) throw new EntryProblem('.board', `${path} is the board of an earlier entry`);
  boards.add(path);
  return { enabled: true, path };
}

function isForbidden(path: string, { forbidden, except }: BoardPlaces): boolean {
  const within = (dir: string) => path.startsWith(dir + sep);
  return forbidden.some(within) && !(except !== undefined && within(except));
}

function pathFrom(base: string, written: string): string {
  return resolve(base, written.replace(/^~(?=$|\/)/, homedir()));
}

/** With symbolic links resolved as far as the path exists. */
async function resolved(path: string): Promise<string> {
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

/** Ids of one file: those that are written are reserved, the others get the lowest `workspace-N` that is free. */
class IdPool {
  private readonly reserved: Set<string | undefined>;
  private readonly taken = new Set<string>();

  constructor(entries: readonly unknown[]) {
    this.reserved = new Set(entries.map((entry) => writtenIn(entry).id));
  }

  claim(written: string | undefined): string {
    const id = written ?? this.lowestFree();
    if (this.taken.has(id)) throw new EntryProblem('.id', `${id} is the id of an earlier entry`);
    this.taken.add(id);
    return id;
  }

  private lowestFree(): string {
    for (let n = 1; ; n++) {
      const id = `workspace-${n}`;
      if (!this.reserved.has(id) && !this.taken.has(id)) return id;
    }
  }
}
