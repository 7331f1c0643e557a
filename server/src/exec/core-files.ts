/** Keeps what crashes from writing its memory into a file: with a command's, the workspace's secrets would lie there. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { systemProgram } from '../base/system-program.ts';

/**
 * For this process and all it starts from now on; a command may raise it again (`ulimit -c unlimited`). Resolves
 * with whether it could be done: Linux only, and where `prlimit` is there.
 */
export async function forgoCoreFiles(): Promise<boolean> {
  try {
    // without a hard limit after the colon that one stays
    await promisify(execFile)(systemProgram('prlimit'), ['--pid', String(process.pid), '--core=0:']);
    return true;
  } catch {
    return false; // there is no prlimit here
  }
}
