/** Finds what a server has started by its marker and ends it: after a crash, and where a group was left. */
import { readFileSync } from 'node:fs';
import { MARKER_VARIABLE } from './environment.ts';
import { allProcesses, endProcesses, type ProcessState, runs } from './process-group.ts';

/**
 * Ends the groups of all processes that carry `marker` in their environment, TERM first, and resolves with how
 * many processes there were. `sessions`: those of these sessions only. Only this user's can be seen. Linux only:
 * elsewhere nothing is found.
 */
export async function sweep(marker: string, sessions?: ReadonlySet<number>): Promise<number> {
  const find = () => marked(marker).filter(({ session }) => sessions?.has(session) ?? true);
  const found = find();
  if (found.length) await endProcesses(find, ['SIGTERM', 'SIGCONT']);
  return found.length;
}

function marked(marker: string): ProcessState[] {
  const entry = `${MARKER_VARIABLE}=${marker}`;
  const all = allProcesses();
  // a server that was itself started by a marked command must not end itself
  const own = all.find(({ pid }) => pid === process.pid)?.group;
  return all.filter((each) => each.group !== own && carries(each.pid, entry) && runs(each));
}

function carries(pid: number, entry: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(entry);
  } catch {
    return false; // another user's, or ended meanwhile
  }
}
