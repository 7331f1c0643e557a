/** Who holds a lock that was found taken. Linux only: elsewhere, and of other users' processes, nobody can tell. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

export type FileHolder = {
  pid: number;
  /** As one knows it: `codex`, `tscodex-ws`. */
  program: string;
  /** Whether the process has the file open still. */
  holds(): boolean;
};

/** null where nobody is found: the lock may have been let go since. */
export function lockHolder(path: string): FileHolder | null {
  for (const pid of processes()) {
    const fd = descriptorOf(pid, path);
    if (fd !== undefined) return { pid, program: programOf(pid), holds: () => isLocked(pid, fd, path) };
  }
  return null;
}

function processes(): number[] {
  return entries('/proc').map(Number).filter(Number.isInteger);
}

function descriptorOf(pid: number, path: string): string | undefined {
  return entries(`/proc/${pid}/fd`).find((fd) => isLocked(pid, fd, path));
}

/** Opened is not locked: who asks in vain has it open, too, for a moment. */
function isLocked(pid: number, fd: string, path: string): boolean {
  try {
    if (readlinkSync(`/proc/${pid}/fd/${fd}`) !== path) return false;
    return readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8').includes('FLOCK');
  } catch {
    return false; // closed, or ended
  }
}

/** Of a script the script's name, not that of what runs it. */
function programOf(pid: number): string {
  const [first = '', second] = argumentsOf(pid);
  const program = basename(first);
  const script = /^node\d*$/.test(program) && second?.startsWith('-') === false ? basename(second) : program;
  return script.replace(/\.[cm]?js$/, '') || 'another program';
}

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function entries(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
