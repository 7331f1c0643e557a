/**
 * Commands in a directory that is somebody else's run as that user, where this server is root: what they make is
 * theirs, and they reach no more than that user may.
 */
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { Failure } from '../../base/errors.ts';
import { systemProgram } from '../../base/system-program.ts';
import type { Program } from '../channel.ts';
import { MARKER_VARIABLE } from '../environment.ts';
import { realPlace } from './real-place.ts';

const SETPRIV = '/usr/bin/setpriv';

export type Owner = {
  uid: number;
  gid: number;
  /** All of its groups. */
  groups: readonly number[];
  /** Without an account it has no name. */
  name: string | null;
  home: string;
};

export class Owners {
  readonly #known = new Map<number, Owner>();
  /** By directory, from the first look on: what another command puts in its place later decides nothing. */
  readonly #first = new Map<string, Pick<Owner, 'uid' | 'gid'>>();

  /**
   * The owner of the directory; null where this server runs as that user, or cannot become another. Throws
   * `exec.owner` where there is none, `session.cwd-changed` where a link or somebody else's is in its place by now.
   */
  of(directory: string): Owner | null {
    if (process.getuid?.() !== 0) return null;
    const now = realPlace(directory);
    if (!now) throw refusal(`${directory} does not exist, so it cannot be told whose commands run there`);
    if (now.path !== directory) throw changed(directory, `leads to ${now.path}`);
    const first = this.#first.get(directory);
    // what was root's and is given to somebody is theirs from then on: they can do less
    const { uid, gid } = first && first.uid !== 0 ? first : now;
    if (uid !== now.uid) throw changed(directory, 'belongs to another user');
    this.#first.set(directory, { uid, gid });
    if (uid === 0) return null;
    const owner = this.#known.get(uid) ?? account(uid, gid);
    this.#known.set(uid, owner);
    return owner;
  }
}

/** The environment as the user's own. */
export function environmentOf(env: Record<string, string>, { name, home }: Owner): Record<string, string> {
  return { ...env, HOME: home, ...(name === null ? {} : { USER: name, LOGNAME: name }) };
}

/**
 * Whether the user gets as far as to the file without any capability, by the directories on the way. `known`: what was
 * found out of directories a moment ago, to which it adds.
 */
export function mayReach(
  path: string,
  user: Pick<Owner, 'uid' | 'groups'>,
  known = new Map<string, boolean>(),
): boolean {
  const directory = dirname(path);
  if (directory === path) return true;
  const found = known.get(directory);
  if (found !== undefined) return found;
  const reached = mayReach(directory, user, known) && mayEnter(directory, user);
  known.set(directory, reached);
  return reached;
}

function mayEnter(directory: string, { uid, groups }: Pick<Owner, 'uid' | 'groups'>): boolean {
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (!stats) return false;
  // what is the user's own can be opened first
  return stats.uid === uid || ((stats.mode >> (groups.includes(stats.gid) ? 3 : 0)) & 1) === 1;
}

/**
 * The program as the owner's, with all of the owner's groups. What runs as root until then does so without the
 * program's environment, which the owner may have made: that waits in a file of `dir` until `tidy`. Throws
 * `exec.owner` where `setpriv` is missing.
 */
export function asOwner(
  { argv, cwd, env }: Program,
  { uid, gid, name }: Owner,
  { dir, tty }: { dir: string; tty: boolean },
): { program: Program; tidy(): void } {
  if (!existsSync(SETPRIV))
    throw refusal(
      `${cwd} belongs to ${name ?? `the user ${uid}`}, and running commands as that user takes ${SETPRIV}: install util-linux, or run the server as that user`,
    );
  const file = join(dir, `environment-${uuid()}`);
  const tidy = () => rmSync(file, { force: true });
  try {
    writeFileSync(file, asExports(env), { mode: 0o600, flag: 'wx' });
    chownSync(file, uid, gid);
  } catch (error) {
    tidy();
    throw error;
  }
  const groups = name === null ? '--clear-groups' : '--init-groups';
  const terminal = tty ? `chown ${uid} "$(tty)"; ` : '';
  return {
    program: {
      argv: [
        ...(['/bin/sh', '-c', `${terminal}exec 7<"$0"; exec "$@"`, file] as const),
        ...[SETPRIV, `--reuid=${uid}`, `--regid=${gid}`, groups, '--'],
        ...['/bin/sh', '-c', '. /dev/fd/7; exec 7<&-; exec "$0" "$@"', ...argv],
      ],
      cwd,
      env: { PATH: '/usr/bin:/bin', [MARKER_VARIABLE]: env[MARKER_VARIABLE] ?? '' },
    },
    tidy,
  };
}

/** For a shell to read. What is no name to a shell cannot be passed. */
function asExports(env: Record<string, string>): string {
  return Object.entries(env)
    .filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join('');
}

/** `gid`: the group where there is no account. */
function account(uid: number, gid: number): Owner {
  const { stdout } = spawnSync(systemProgram('getent'), ['passwd', `${uid}`], { encoding: 'utf8' });
  const [name, , , group, , home] = (stdout ?? '').trim().split(':');
  if (!name || !home) return { uid, gid, groups: [gid], name: null, home: '/' };
  const groups = spawnSync(systemProgram('id'), ['-G', name], { encoding: 'utf8' })
    .stdout.trim()
    .split(' ')
    .map(Number);
  return { uid, gid: Number(group), groups, name, home };
}

function refusal(message: string): Failure {
  return new Failure('unavailable', 'exec.owner', message);
}

function changed(directory: string, how: string): Failure {
  return new Failure(
    'conflict',
    'session.cwd-changed',
    `nothing was run: ${directory} ${how} by now, and whose commands run there was settled before; put it back, or restart the server`,
    { details: { path: directory } },
  );
}
