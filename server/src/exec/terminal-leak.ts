/** Keeps the terminals of other commands out of a new one. */
import { readdirSync, readlinkSync } from 'node:fs';

/**
 * node-pty leaves this process's end of a terminal open in every program that is started while it is there, and
 * Node cannot mark it otherwise: a command could type into another one. Where there are such descriptors, the
 * program is started by a shell that closes them first. Linux only: elsewhere node-pty takes care.
 */
export function withoutTerminals(argv: readonly [string, ...string[]]): readonly [string, ...string[]] {
  const open = process.platform === 'linux' ? terminalDescriptors() : [];
  if (!open.length) return argv;
  const close = open.map((fd) => `${fd}>&-`).join(' ');
  return ['bash', '-c', `exec ${close}; exec "$0" "$@"`, ...argv];
}

function terminalDescriptors(): string[] {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith('/ptmx');
    } catch {
      return false; // the descriptor of the listing itself
    }
  });
}
