/**
 * Whether what bubblewrap has mounted is what was meant: looked at from outside, before anything in there starts.
 *
 * bubblewrap is given paths and resolves them itself, what is to be mounted and where, so a command of another session
 * that exchanges a directory for a link at the right moment could have it mount something else. It has no way to be
 * given a directory itself: also `--bind-fd` resolves the place by name. Nor does it help to look at the paths
 * afterwards, as they may be exchanged once more. But the kernel tells of every mount what it shows, by its place on
 * its file system: and what a command could never write it cannot rename. So nothing may be there but what was there
 * outside, read-only, and what was to be mounted. (NFS keeps that place to itself: there the file system counts.)
 */
import { existsSync, readFileSync } from 'node:fs';
import { isWithin } from '../../base/paths.ts';
import type { Place } from './mount-plan.ts';

const OF_THE_KERNEL = ['/dev', '/proc', '/sys'];
/** What bubblewrap puts into a `/dev` of its own. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => `/dev/${name}`);

type Mount = {
  device: string;
  /** What of its file system is mounted, a letter a byte: file names need not be UTF-8. */
  root: string;
  /** Where, likewise. */
  path: string;
  writable: boolean;
  type: string;
};

/** What a mount may be: all that is named has to fit. */
type Meant = Partial<Omit<Mount, 'writable'>> & {
  writable: boolean;
  /** Of a file system that was mounted nowhere before. */
  fresh?: boolean;
};

/** `unfinished`: not everything is mounted yet, or there is no such process any more. */
export type MountState = 'asMeant' | 'moved' | 'unfinished';

/** How it stands with what a process that bubblewrap prepares sees, whenever that is asked. */
export type MountCheck = (pid: number) => MountState;

/** To be called before bubblewrap starts. `reaches`: whether the command's user gets as far as to a path. */
export function mountCheck(plan: readonly Place[], reaches: (path: string) => boolean): MountCheck {
  const outside = mountsOf('self');
  const devices = new Set(outside.map(({ device }) => device));
  const meant = meantMounts(plan, outside, reaches);
  const isNew = (mount: Mount) => !devices.has(mount.device);
  const isMeant = (mount: Mount) =>
    (mount.type === 'proc' && isWithin(mount.path, '/proc')) ||
    meant.some((each) => fits(mount, each) && (!each.fresh || isNew(mount)));
  // nothing of its own is there before the end: until then it lies below another directory
  const isEnclosed = (mounts: readonly Mount[]) =>
    mounts.some((mount) => mount.path === '/dev' && mount.type === 'tmpfs' && isNew(mount));
  return (pid) => {
    try {
      // before the mounts are read: what cannot mount any more has done so, and what works has not
      const { state, capable } = statusOf(pid);
      if (capable && state !== 'S') return 'unfinished';
      const mounts = mountsOf(pid);
      if (isEnclosed(mounts) && mounts.every(isMeant)) return 'asMeant';
      return capable ? 'unfinished' : 'moved';
    } catch {
      return 'unfinished'; // it has ended
    }
  };
}

function meantMounts(
  plan: readonly Place[],
  outside: readonly Mount[],
  reaches: (path: string) => boolean,
): Meant[] {
  const written = plan.filter(({ access }) => access === 'write').map(({ path }) => latin1(path));
  const mayBeWritable = ({ path }: Mount, n: number) =>
    [...OF_THE_KERNEL, ...written].some((place) => isWithin(path, place)) ||
    // bubblewrap leaves as they are those that are covered by others, and those that nobody gets to
    outside.slice(n + 1).some((later) => later.path === path) ||
    !(reaches(utf8(path)) && existsSync(utf8(path)));
  return [
    ...outside.map((mount, n) => ({ ...mount, writable: mayBeWritable(mount, n) })),
    ...DEVICES.filter((path) => existsSync(path)).flatMap((path) => shown(path, outside, true)),
    ...plan.flatMap(({ path, access, directory }): Meant[] => {
      if (access === 'write') return shown(path, outside, true);
      if (access === 'shown' || access === 'kept') return shown(path, outside, false);
      return directory ? [made(latin1(path), 'tmpfs')] : [];
    }),
    ...[made('/dev', 'tmpfs'), made('/dev/shm', 'tmpfs'), made('/dev/pts', 'devpts')],
    { path: '/dev/console', writable: true },
  ];
}

/** A file system that bubblewrap has made. */
function made(path: string, type: string): Meant {
  return { root: '/', path, type, writable: true, fresh: true };
}

/** Something of the disk, wherever it is mounted. */
function shown(path: string, outside: readonly Mount[], writable: boolean): Meant[] {
  const place = latin1(path);
  // of several at one path the last one covers the others
  const [around] = outside
    .filter((mount) => isWithin(place, mount.path))
    .reverse()
    .sort((a, b) => b.path.length - a.path.length);
  if (!around) return []; // what lies on no mount that is known is not to be mounted
  const rest = place.slice(around.path === '/' ? 0 : around.path.length);
  const root = `${around.root === '/' && rest ? '' : around.root}${rest}`;
  return [{ device: around.device, root: around.type.startsWith('nfs') ? '/' : root, writable }];
}

function fits(mount: Mount, { device, root, path, type, writable }: Meant): boolean {
  return (
    (device ?? mount.device) === mount.device &&
    (path ?? mount.path) === mount.path &&
    (root ?? mount.root) === mount.root &&
    (type ?? mount.type) === mount.type &&
    (writable || !mount.writable)
  );
}

/** As the process sees them. Throws where there is none. */
function mountsOf(pid: number | 'self'): Mount[] {
  const lines = readFileSync(`/proc/${pid}/mountinfo`, 'latin1').split('\n').filter(Boolean);
  return lines.map((text) => {
    const [fields = '', source = ''] = text.split(' - ');
    const [, , device = '', root = '', path = '', options = ''] = fields.split(' ');
    const writable = !/^ro\b/.test(options);
    return { device, root: plain(root), path: plain(path), writable, type: source.split(' ')[0] ?? '' };
  });
}

/** The letter of its state, and whether it has any capability. Throws where there is no such process. */
function statusOf(pid: number): { state: string | undefined; capable: boolean } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return { state: /^State:\s*(\w)/m.exec(text)?.[1], capable: !/^CapEff:\s*0+$/m.test(text) };
}

/** In plain letters. */
function plain(written: string): string {
  return written.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

function latin1(path: string): string {
  return Buffer.from(path).toString('latin1');
}

function utf8(path: string): string {
  return Buffer.from(path, 'latin1').toString();
}
