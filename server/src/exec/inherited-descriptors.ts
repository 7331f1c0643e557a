/** Keeps the files that are open in this process out of the programs it starts. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { systemProgram } from '../base/system-program.ts';
import type { Program } from './channel.ts';

/** As Linux counts it on every architecture that Node runs on. */
const CLOSED_ON_EXEC = 0o2000000;

/**
 * Node marks what it opens to be closed in other programs. What stays open there is what node-pty opens, this
 * process's ends of terminals: a command could type into another one; and of what this process was itself started with
 * the high numbers. Where there is any of it, the program is started by a shell that closes it first. Linux only:
 * elsewhere node-pty takes care.
 */
export class InheritedDescriptors {
  /** What each of those was that are closed by themselves: a server has many, and it takes three calls to find out. */
  #closed = new Map<string, string>();

  keptFrom({ argv, descriptors = [] }: Pick<Program, 'argv' | 'descriptors'>): Program['argv'] {
    const own = 2 + descriptors.length;
    const open = process.platform === 'linux' ? this.#inherited().filter((fd) => Number(fd) > own) : [];
    // a program that is missing fails by itself, and is named
    if (!open.length || (isAbsolute(argv[0]) && !existsSync(argv[0]))) return argv;
    const close = open.map((fd) => `${fd}>&-`).join(' ');
    // bash, because others know numbers of one digit alone; -p: it takes no functions or files from the environment
    return [systemProgram('bash'), '-p', '-c', `exec ${close}; exec "$0" "$@"`, ...argv];
  }

  #inherited(): string[] {
    const closed = new Map<string, string>();
    const open = readdirSync('/proc/self/fd').filter((fd) => {
      try {
        const what = readlinkSync(`/proc/self/fd/${fd}`);
        // one terminal is called like the other; all else of the same name Node opens alike
        const isKnown = this.#closed.get(fd) === what && !what.startsWith('/dev/');
        if (!isKnown && !isClosed(fd)) return true;
        closed.set(fd, what);
      } catch {
        // the descriptor of the listing itself
      }
      return false;
    });
    this.#closed = closed;
    return open;
  }
}

function isClosed(fd: string): boolean {
  const [, flags = ''] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1')) ?? [];
  return (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) !== 0;
}
