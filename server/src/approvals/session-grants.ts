/** What "for this session" covers: a key each for a command, a file, a permission. */
import { dirname } from 'node:path';
import type { Grants } from '@tscodex/shared/permissions';

const COMMAND = 'command:';

/** Of the identical command in the same directory, run the same way with the same grants. */
export function commandKey(
  { command, cwd, grants }: { command: string; cwd: string; grants: Grants },
  confined: boolean,
): string {
  return `${COMMAND}${JSON.stringify([cwd, command, confined, grantKeysOf(grants).sort()])}`;
}

/** Whether a key lets commands run without the sandbox. */
export function isUnconfined(key: string): boolean {
  if (!key.startsWith(COMMAND)) return key === permissionKey('unconfined');
  const [_cwd, _command, confined] = JSON.parse(key.slice(COMMAND.length)) as unknown[];
  return confined !== true;
}

const FILE = 'file:';

export function fileKey(path: string): string {
  return `${FILE}${path}`;
}

/** The files among what was granted. */
export function filesIn(keys: readonly string[]): string[] {
  return keys.flatMap((key) => (key.startsWith(FILE) ? [key.slice(FILE.length)] : []));
}

/** One for each single thing of it. */
export function grantKeysOf({ unconfined, network, read = [], write = [] }: Grants): string[] {
  return [
    ...(unconfined ? [permissionKey('unconfined')] : []),
    ...(network ? [permissionKey('network')] : []),
    ...read.map((path) => permissionKey('read', path)),
    ...write.map((path) => permissionKey('write', path)),
  ];
}

/** Whether all of it was granted; a directory covers what is in it. Nothing wanted is covered. */
export function coveredByGrants(grants: Grants, granted: (key: string) => boolean): boolean {
  const { unconfined, network, read = [], write = [] } = grants;
  if (unconfined && !granted(permissionKey('unconfined'))) return false;
  if (network && !granted(permissionKey('network'))) return false;
  const covers = (how: 'read' | 'write') => (path: string) =>
    withParents(path).some((place) => granted(permissionKey(how, place)));
  return read.every(covers('read')) && write.every(covers('write'));
}

function permissionKey(what: 'unconfined' | 'network' | 'read' | 'write', path?: string): string {
  return `permission:${what}${path === undefined ? '' : `:${path}`}`;
}

function withParents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}
