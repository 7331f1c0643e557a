/** The lock where flock(2) is not to be had: a file with the pid of its holder, worthless once that has ended. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Takes the lock and returns how to let it go, or null when a living process has it. Throws what the disk says. */
export function takePidFile(path: string): (() => void) | null {
  while (!claim(path)) {
    const holder = readText(path);
    if (isAlive(Number(holder)) || !clear(path, holder)) return null;
  }
  return () => {
    if (readText(path) === String(process.pid)) rmSync(path, { force: true });
  };
}

/** The file comes with its content, so that nobody takes it for one that a dead holder left. */
function claim(path: string): boolean {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, String(process.pid), { mode: 0o600 });
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Takes away what a dead `holder` left: of several who have found it only one gets the file. False when somebody
 * has put a new one there since; that is put back.
 */
function clear(path: string, holder: string): boolean {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true;
    throw error;
  }
  const found = readText(aside) === holder;
  if (!found) linkSync(aside, path);
  rmSync(aside, { force: true });
  return found;
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // gone between two looks
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
