/** Keeps the files that are open in this process out of the programs it starts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { systemProgram } from '../base/system-program.ts';

/** As Linux counts it on every architecture that Node runs on. */
const CLOSED_ON_EXEC = 0o2000000;

/**
 * Node marks what it opens to be closed in other programs. What stays open there is what node-pty opens, this
 * process's ends of terminals: a command could type into another one; and of what this process was itself started with
 * the high numbers. Where there is any of it, the program is started by a shell that closes it first. Linux only:
 * elsewhere node-pty takes care.
 */
export function withoutInherited(argv: readonly [string, ...string[]]): readonly [string, ...string[]] {
  const open = process.platform === 'linux' ? inherited() : [];
  // a program that is missing fails by itself, and is named
  if (!open.length || (isAbsolute(argv[0]) && !existsSync(argv[0]))) return argv;
  const close = open.map((fd) => `${fd}>&-`).join(' ');
  // bash, because others know numbers of one digit alone; -p: it takes no functions or files from the environment
  return [systemProgram('bash'), '-p', '-c', `exec ${close}; exec "$0" "$@"`, ...argv];
}

function inherited(): string[] {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      const [, flags = ''] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1')) ?? [];
      return Number(fd) > 2 && (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
    } catch {
      return false; // the descriptor of the listing itself
    }
  });
}
