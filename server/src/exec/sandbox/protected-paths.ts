/**
 * What of a writable directory stays as it is: what programs outside of the sandbox would later do as it says, like
 * the hooks of git, the settings of agents and, in a home, the start-up files of shells.
 */
import {
  accessSync,
  constants,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../../base/errors.ts';
import { isWithin } from '../../base/paths.ts';
import type { Place } from './mount-plan.ts';

const OF_ALL = ['.git', '.codex', '.agents'];
/** Also where they are missing. What else a home has with a dot stays as it is, too. */
const OF_HOMES = [
  ...['.ssh', '.config', '.local/bin', 'bin', '.vscode', '.idea', '.docker', '.aws', '.cargo', '.claude'],
  ...['.bashrc', '.profile', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.xprofile', '.pam_environment', '.gitconfig', '.npmrc'],
];
/** Where these are missing, what keeps them so is a directory; elsewhere it is an empty file. */
const DIRECTORIES = new Set([
  ...[...OF_ALL, '.ssh', '.config', '.local', '.vscode', '.idea', '.docker', '.aws', '.cargo', '.claude'],
  ...['bin', 'hooks'],
]);
/** What of a repository that may be written still stays: it runs programs, or says where else to look. */
const OF_GRANTED_GIT = [
  ...['hooks', 'config', 'config.worktree', 'info/attributes'],
  ...['commondir', 'gitdir', 'objects/info/alternates', 'modules'],
];

export type Surroundings = {
  /** What a person allowed to be written. */
  granted: readonly string[];
  /** The homes whose start-up files count. */
  homes: readonly string[];
  /** The user the command runs as. */
  uid: number;
};

/** Of a directory that can be written. Throws `sandbox.protected` where a link stands for something protected. */
export function protectedPlaces(root: string, { granted, homes, uid }: Surroundings): Place[] {
  const inHomes = homes
    .filter((home) => isWithin(home, root))
    .flatMap((home) => [...OF_HOMES, ...settingsIn(home)].map((name) => join(home, name)));
  const paths = [...OF_ALL.map((name) => join(root, name)), ...inHomes];
  const creatable = new Map<string, boolean>();
  return paths
    .filter((path) => !granted.includes(path))
    .flatMap((path) => [...protect(path, root, { uid, creatable }), ...gitDirectories(path)]);
}

/**
 * Any program may have its settings there, and run what they say. Links stay out: unlike the places that are known by
 * name, they are not worth refusing every command.
 */
function settingsIn(home: string): string[] {
  try {
    const entries = readdirSync(home, { withFileTypes: true });
    return entries
      .filter((entry) => entry.name.startsWith('.') && !entry.isSymbolicLink())
      .map(({ name }) => name);
  } catch {
    return []; // there is no such home, or it is closed to us, so to the command
  }
}

/** Of a directory that a person allowed to be written: what is inside of a repository's own is part of that. */
export function protectedOfGrant(path: string, surroundings: Surroundings): Place[] {
  if (path.endsWith('/.git')) return ofGrantedGit(path, surroundings.uid);
  return path.includes('/.git/') ? [] : protectedPlaces(path, surroundings);
}

/**
 * What nothing can cover, because git does not work with something empty in its place: where it has appeared in a
 * repository that could be written, it is to go again. It would have git look for its settings elsewhere.
 */
export function unwantedOfGrant(path: string): string[] {
  const file = join(path, 'commondir');
  return path.endsWith('/.git') && look(path)?.isDirectory() && !look(file) ? [file] : [];
}

/** The file, where it lies still in the directory that was meant, and not behind a link that took its place. */
export function removeAppeared(file: string): void {
  try {
    if (realpathSync(dirname(file)) === dirname(file)) unlinkSync(file);
  } catch {
    // it has not appeared
  }
}

function ofGrantedGit(git: string, uid: number): Place[] {
  const creatable = new Map<string, boolean>();
  return OF_GRANTED_GIT.map((name) => join(git, name)).flatMap((path) =>
    path.endsWith('/hooks') || look(path) ? protect(path, git, { uid, creatable }) : [],
  );
}

/** `creatable`: of the directories that were looked at for the others, whether the command can make things there. */
function protect(
  path: string,
  root: string,
  { uid, creatable }: { uid: number; creatable: Map<string, boolean> },
): Place[] {
  const found = firstNothing(path, root);
  if (!found.stats) {
    const directory = dirname(found.path);
    const can = creatable.get(directory) ?? mayCreateIn(directory, uid);
    creatable.set(directory, can);
    return can ? [missing(found.path)] : [];
  }
  const directory = found.stats.isDirectory();
  if (!found.stats.isSymbolicLink())
    return [{ path: found.path, access: found.nothing ? 'empty' : 'kept', directory }];
  throw new Failure(
    'forbidden',
    'sandbox.protected',
    `${found.path} is protected and a link, which cannot be protected: put the directory or file itself there, or take ${root} out of what commands may write`,
    { details: { path: found.path, root } },
  );
}

function missing(path: string): Place {
  return { path, access: 'empty', directory: DIRECTORIES.has(path.slice(path.lastIndexOf('/') + 1)) };
}

/**
 * The path, or the first on the way to it from the root that is missing, a link, or empty. What is empty may be there
 * for another command only (see `placeholders`), and vanish any moment.
 */
function firstNothing(path: string, root: string): { path: string; stats: Stats | null; nothing: boolean } {
  const steps = path.slice(root.length + 1).split('/');
  let at = root;
  let stats: Stats | null = null;
  for (const step of steps) {
    at = join(at, step);
    stats = look(at);
    if (!stats?.isDirectory() || isEmpty(at)) break;
  }
  const nothing = stats?.isDirectory() ? isEmpty(at) : stats?.size === 0;
  return { path: at, stats, nothing };
}

function isEmpty(directory: string): boolean {
  try {
    return readdirSync(directory).length === 0;
  } catch {
    return false; // closed to us, so to the command: covering it as it is will do
  }
}

/** The directories that a `.git` file leads to: a linked worktree's, and the repository it belongs to. */
function gitDirectories(path: string): Place[] {
  if (!path.endsWith('/.git') || !look(path)?.isFile()) return [];
  const own = target(path, /^gitdir:\s*(.+?)\s*$/m, join(path, '..'));
  const common = own && target(join(own, 'commondir'), /^\s*(.+?)\s*$/m, own);
  return [own, common]
    .filter((directory) => directory !== null)
    .map((directory) => ({ path: directory, access: 'kept', directory: true }));
}

function target(file: string, pattern: RegExp, from: string): string | null {
  try {
    const [, named] = pattern.exec(readFileSync(file, 'utf8')) ?? [];
    return named === undefined ? null : realpathSync(resolve(from, named));
  } catch {
    return null; // it leads nowhere
  }
}

/** Where the command cannot make a thing, it needs no keeping from it. */
function mayCreateIn(directory: string, uid: number): boolean {
  const stats = look(directory);
  if (!stats || (stats.uid !== uid && !(stats.mode & 0o022))) return false;
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EROFS' && stats.uid === uid;
  }
}

function look(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}
