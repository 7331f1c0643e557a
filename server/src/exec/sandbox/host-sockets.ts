/** The unix sockets of this machine: whoever may connect to one can have a program outside act for them. */
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { realPlace } from './real-place.ts';

/** Where services of a person, or for containers, make theirs: also those that begin only later. */
const PLACES = [
  ...['/run/user', '/run/dbus', '/run/docker', '/run/containerd', '/run/podman', '/run/screen'],
  ...['/tmp/.X11-unix', '/tmp/.ICE-unix'],
];

/** Those of the places that there are. `uid`: of whom the command runs as. */
export function socketDirectories(uid: number): string[] {
  return [...PLACES, `/tmp/tmux-${uid}`].filter((path) => {
    const place = realPlace(path);
    return place?.path === path && place.directory;
  });
}

/** Where sockets are bound and can be seen from here: absolute paths, with links resolved. Linux only. */
export function hostSockets(): string[] {
  const bound = listing().split('\n').map(pathOf);
  return [...new Set(bound.map((path) => path && socketAt(path)))].filter((path) => path !== null);
}

/** `ffff9c1a: 00000002 00000000 00010000 0001 01 16384 /run/user/1000/bus`; those without a name, or an abstract one, have no `/`. */
function pathOf(line: string): string | null {
  return /^\S+:(?: +\S+){6} (\/.*)$/.exec(line)?.[1] ?? null;
}

function listing(): string {
  try {
    return readFileSync('/proc/net/unix', 'utf8');
  } catch {
    return ''; // no /proc: then no command gets this far either
  }
}

function socketAt(path: string): string | null {
  try {
    const resolved = realpathSync(path);
    return lstatSync(resolved).isSocket() ? resolved : null;
  } catch {
    return null; // gone, of another root directory, or where we may not look
  }
}
