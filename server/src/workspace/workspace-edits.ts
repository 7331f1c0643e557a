/** What people may do to the list of workspaces: each a change of the file, or a sentence that says why not. */
import { dirname, relative, sep } from 'node:path';
import type { NewWorkspace, WorkspaceChange } from '@tscodex/shared/workspace';
import { Failure } from '../base/errors.ts';
import type { ConfigDocument, EntryKeys } from './config-document.ts';
import { type EntryFault, fieldOf, pathFrom, resolved, type WorkspaceEntry } from './config-file.ts';
import { areTwins, idFor } from './entry-ids.ts';
import { changeWithDirectories, type Directories } from './made-directories.ts';
import type { WorkspaceFile } from './workspace-file.ts';

export type EditPlace = {
  file: WorkspaceFile;
  /** Where relative paths that people type start. */
  home: string;
};

/** Returns the id of the new entry, the last of the list. `isUsed`: an id that sessions in other directories had. */
export async function addWorkspace(
  { file, home }: EditPlace,
  asked: NewWorkspace,
  isUsed: (id: string, dir: string) => boolean,
): Promise<string> {
  const dir = pathFrom(home, typed('dir', asked.dir ?? '.'));
  const board = asked.board === undefined ? null : pathFrom(home, typed('board', asked.board));
  let id = '';
  await changeWithDirectories(file, async (document, entries, make) => {
    if (asked.name !== undefined) refuseNameTaken(entries, asked.name);
    const taken = new Set(entries.map((entry) => entry.id));
    const real = await resolved(dir);
    id = idFor(asked.name, { has: (candidate) => taken.has(candidate) || isUsed(candidate, real) });
    const edited = document.withAdded({
      id,
      ...(asked.name === undefined || asked.name === id ? {} : { name: asked.name }),
      work_dir: asWritten(dir, document),
      ...(board === null ? {} : { board: asWritten(board, document) }),
    });
    const toBeMade = { dir, ...(board === null ? {} : { board: dirname(board) }) };
    await refuseFaults(file, edited, { entries, index: entries.length, toBeMade });
    make(toBeMade);
    return edited;
  });
  return id;
}

/** `isWorking`: something runs in the workspace. */
export async function changeWorkspace(
  { file, home }: EditPlace,
  id: string,
  change: WorkspaceChange,
  isWorking: () => boolean,
): Promise<void> {
  await changeWithDirectories(file, async (document, entries, make) => {
    const { index, entry } = find(entries, id);
    if (entry.revision !== change.revision) throw changedMeanwhile(entry);
    const dir = change.dir === undefined ? entry.path : pathFrom(home, typed('dir', change.dir));
    const board = change.board === undefined ? null : pathFrom(home, typed('board', change.board));
    const moves = (change.dir !== undefined && dir !== entry.path) || board !== null;
    if (moves && isWorking()) throw working(entry);
    if (change.name !== undefined && change.name !== entry.name) refuseNameTaken(entries, change.name);
    const keys = {
      ...(moves && entry.key !== undefined ? { id } : {}),
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.dir === undefined ? {} : { [dirKey(document.list[index])]: asWritten(dir, document) }),
      ...(board === null ? {} : { board: asWritten(board, document) }),
      ...change.permissions,
    };
    const steady =
      moves || change.position !== undefined ? withTwinsNamed(document, entries, index) : document;
    const edited = withKeys(steady, { index, entry }, keys);
    const toBeMade = {
      ...(change.createDir && dir !== '' ? { dir } : {}),
      ...(board === null ? {} : { board: dirname(board) }),
    };
    await refuseFaults(file, edited, { entries, index, keys, toBeMade });
    make(toBeMade);
    if (change.position === undefined) return edited;
    return edited.withMoved(index, Math.min(change.position, entries.length - 1));
  });
}

/** Its files stay. */
export async function removeWorkspace(file: WorkspaceFile, id: string): Promise<void> {
  await file.change(async (document, entries) => {
    const { index } = find(entries, id);
    return withTwinsNamed(document, entries, index).without(index);
  });
}

/** An entry is about to change: where only their order tells it from others, the ids of all of them are written. */
function withTwinsNamed(
  document: ConfigDocument,
  entries: readonly WorkspaceEntry[],
  index: number,
): ConfigDocument {
  const own = entries[index];
  if (own?.key === undefined || own.path === '') return document;
  const { key } = own;
  const isTwin = (one: WorkspaceEntry) => one.key !== undefined && areTwins(one.key, key);
  if (entries.filter(isTwin).length === 1) return document;
  return entries.reduce(
    // an id that is written wrong is for hands to correct
    (named, one, n) =>
      isTwin(one) && one.fault?.key !== 'id' ? named.withChanged(n, { id: one.id }) : named,
    document,
  );
}

type Checked = {
  /** As they are before. */
  entries: readonly WorkspaceEntry[];
  /** The entry that is added or changed. */
  index: number;
  /** What is set in it; everything where it is new. */
  keys?: EntryKeys;
  toBeMade: Directories;
};

/** No entry may be worse off than before. */
async function refuseFaults(file: WorkspaceFile, edited: ConfigDocument, checked: Checked): Promise<void> {
  const { entries, index, keys, toBeMade } = checked;
  const after = await file.evaluate(edited, new Set(Object.values(toBeMade)));
  for (const [n, { fault, problem }] of after.entries()) {
    const known = entries[n]?.fault;
    if (!fault || (known && !(n === index && keys && fault.key in keys))) continue;
    if (n === index) throw faulty(fault);
    const message = `That would break another workspace: ${problem?.message}`;
    throw new Failure('invalid', 'workspace.other', message, { details: { name: entries[n]?.name } });
  }
}

function faulty({ code, key, message, details }: EntryFault): Failure {
  return new Failure('invalid', code, `${message}.`, { details: { ...details, field: fieldOf(key) } });
}

function find(entries: readonly WorkspaceEntry[], id: string): { index: number; entry: WorkspaceEntry } {
  const index = entries.findIndex((entry) => entry.id === id);
  const entry = entries[index];
  if (entry) return { index, entry };
  throw new Failure('notFound', 'workspace.unknown', `There is no workspace ${id} any more.`);
}

function changedMeanwhile({ name }: WorkspaceEntry): Failure {
  const message = `${name} was changed meanwhile, by somebody else or in the file: look at it as it is now first.`;
  return new Failure('conflict', 'workspace.changed', message, { details: { name } });
}

function working({ name }: WorkspaceEntry): Failure {
  const message = `A session of ${name} is at work: stop it or let it finish, then change directory or board.`;
  return new Failure('conflict', 'workspace.busy', message, { details: { name } });
}

function refuseNameTaken(entries: readonly WorkspaceEntry[], name: string): void {
  if (!entries.some((entry) => entry.name === name)) return;
  const details = { field: 'name', name };
  throw new Failure(
    'conflict',
    'workspace.name',
    `There is a workspace ${name} already: choose another name.`,
    {
      details,
    },
  );
}

function withKeys(
  document: ConfigDocument,
  { index, entry }: { index: number; entry: WorkspaceEntry },
  keys: EntryKeys,
): ConfigDocument {
  const raw = document.list[index];
  if (Object.keys(keys).length === 0) return document;
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw))
    return document.withChanged(index, keys);
  const { message = '', details } = entry.problem ?? {};
  throw new Failure('invalid', 'workspace.byHand', `Correct it in the file first: ${message}.`, { details });
}

function dirKey(raw: unknown): 'cwd' | 'work_dir' {
  const { work_dir, cwd } = (raw ?? {}) as { work_dir?: unknown; cwd?: unknown };
  return work_dir === undefined && cwd !== undefined ? 'cwd' : 'work_dir';
}

/** Throws for what nobody types. */
function typed(field: 'dir' | 'board', path: string): string {
  if (!/\p{Cc}/u.test(path)) return path;
  const message = 'A path holds no control characters.';
  throw new Failure('invalid', 'workspace.path', message, { details: { field } });
}

/** Relative to the file where it is below it: the two may then move together. */
function asWritten(path: string, { path: configPath }: ConfigDocument): string {
  const inside = relative(dirname(configPath), path);
  if (inside === '') return '.';
  if (inside === '..' || inside.startsWith(`..${sep}`)) return path;
  return inside.startsWith('~') ? `.${sep}${inside}` : inside;
}
