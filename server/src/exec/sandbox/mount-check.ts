/**
 * Looks, inside of the sandbox and before the command starts, whether what was mounted is what was meant.
 *
 * bubblewrap is given paths and resolves them itself, what is to be mounted and where, so a command of another session
 * that exchanges a directory for a link at the right moment could have it mount something else. It has no way to be
 * given a directory itself: also `--bind-fd` resolves the place by name. Nor does it help to look at the paths
 * afterwards, as they may be exchanged once more. But the kernel tells of every mount what it shows, by its place on
 * its file system: and what a command could never write it cannot rename. So nothing may be there but what was there
 * outside, read-only, and what was to be mounted. (NFS keeps that place to itself: there the file system counts.)
 */
import { existsSync, readFileSync } from 'node:fs';
import { systemProgram } from '../../base/system-program.ts';
import { isWithin, type Place } from './mount-plan.ts';

/** The descriptor that the check reads what is meant from, and writes to why the program has not been started. */
export const MOUNTS = 6;

/** What the check writes; the program never has the descriptor. */
export const REFUSALS = { moved: 'moved', missing: 'missing' } as const;

const OF_THE_KERNEL = ['/dev', '/proc', '/sys'];
/** What bubblewrap puts into a `/dev` of its own. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => `/dev/${name}`);

type Mount = {
  device: string;
  /** What of its file system is mounted, and where: as the kernel writes them. */
  root: string;
  at: string;
  /** `at` in plain letters. */
  path: string;
  type: string;
};

/** The program after the check. It must find `meantMounts` at `MOUNTS`, in a file that its user may read. */
export function checked(argv: readonly [string, ...string[]], name: string): [string, ...string[]] {
  const script = [
    `. /dev/fd/${MOUNTS}`,
    `command -v -- "$0" >/dev/null || { echo ${REFUSALS.missing} >&${MOUNTS}; exit 127; }`,
    `exec ${MOUNTS}>&-; exec "$@"`,
  ].join('\n');
  return ['/bin/sh', '-c', script, name, ...argv];
}

/**
 * For a shell: ends it where /proc/self/mountinfo has a line that may not be there. In bytes as the kernel writes them:
 * no path has a space there. Without a program of its own for the looking, which costs as much as a short command.
 * `reaches`: whether the command's user gets as far as to a path.
 */
export function meantMounts(plan: readonly Place[], reaches: (path: string) => boolean): Buffer {
  const mounts = hostMounts();
  const written = plan.filter(({ access }) => access === 'write').map(({ path }) => latin1(path));
  const mayBeWritable = ({ path }: Mount, n: number) =>
    [...OF_THE_KERNEL, ...written].some((place) => isWithin(path, place)) ||
    // bubblewrap leaves as they are those that are covered by others, and those that nobody gets to
    mounts.slice(n + 1).some((later) => later.path === path) ||
    !(reaches(utf8(path)) && existsSync(utf8(path)));
  const outside = mounts.map((mount, n) => {
    // it is told as seen from the control group of who asks
    const root = mount.type.startsWith('cgroup') ? ANY : literal(mount.root);
    return line(mount.device, root, literal(mount.at), mayBeWritable(mount, n) ? 'r[ow]' : 'ro');
  });
  const devices = DEVICES.filter((path) => existsSync(path)).map((path) => shown(path, mounts, 'r[ow]'));
  const own = plan.flatMap(({ path, access, directory }) => {
    if (access === 'write') return [shown(path, mounts, 'r[ow]')];
    if (access === 'shown' || access === 'kept') return [shown(path, mounts, 'ro')];
    return directory ? [made(literal(escaped(latin1(path))), 'tmpfs')] : [];
  });
  const of = [
    ...[
      made('/dev', 'tmpfs'),
      made('/dev/shm', 'tmpfs'),
      made('/dev/pts', 'devpts'),
      line(ANY, ANY, '/dev/console', 'r[ow]'),
    ],
    ...['/proc', "/proc/'*'"].map((at) => `${line(ANY, ANY, at, 'r[ow]')}' - proc '*`),
  ];
  const patterns = [...new Set([...outside, ...devices, ...own, ...of])];
  const script = [
    `_mounts=$(${systemProgram('cat')} /proc/self/mountinfo) && [ -n "$_mounts" ] || exit 126`,
    `set -f; IFS='\n'; for _mount in $_mounts; do case $_mount in`,
    ...patterns.map((pattern) => `${pattern}) ;;`),
    `*) echo ${REFUSALS.moved} >&${MOUNTS}; exit 126 ;;`,
    `esac; done; set +f; unset _mounts _mount IFS\n`,
  ];
  return Buffer.from(script.join('\n'), 'latin1');
}

const ANY = "'*'";
/** No line is like that: what lies on no mount that is known is not to be mounted. */
const NOTHING = "''";

function line(device: string, root: string, at: string, how: 'ro' | 'r[ow]'): string {
  return `*' ${device} ${root} ${at} '${how}[,\\ ]*`;
}

/** A file system that bubblewrap has made. */
function made(at: string, type: string): string {
  return `${line(ANY, '/', at, 'r[ow]')}' - ${type} '*`;
}

/** Something of the disk, wherever it is mounted. */
function shown(path: string, mounts: readonly Mount[], how: 'ro' | 'r[ow]'): string {
  const place = latin1(path);
  // of several at one path the last one covers the others
  const [around] = mounts
    .filter((mount) => isWithin(place, mount.path))
    .reverse()
    .sort((a, b) => b.path.length - a.path.length);
  if (!around) return NOTHING;
  const rest = place.slice(around.path === '/' ? 0 : around.path.length);
  const root = `${around.root === '/' && rest ? '' : around.root}${escaped(rest)}`;
  return line(around.device, around.type.startsWith('nfs') ? '/' : literal(root), ANY, how);
}

function hostMounts(): Mount[] {
  const lines = readFileSync('/proc/self/mountinfo', 'latin1').split('\n').filter(Boolean);
  return lines.map((text) => {
    const [fields = '', source = ''] = text.split(' - ');
    const [, , device = '', root = '', at = ''] = fields.split(' ');
    return { device, root, at, path: plain(at), type: source.split(' ')[0] ?? '' };
  });
}

/** As the kernel writes a path there. */
function escaped(path: string): string {
  return path.replace(/[ \t\n\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

function plain(written: string): string {
  return written.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

/** Within quotes. */
function literal(text: string): string {
  return text.replaceAll("'", "'\\''");
}

/** A letter a byte: file names need not be UTF-8. */
function latin1(path: string): string {
  return Buffer.from(path).toString('latin1');
}

function utf8(path: string): string {
  return Buffer.from(path, 'latin1').toString();
}
