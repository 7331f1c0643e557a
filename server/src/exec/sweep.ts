/** Finds what a server has started by its marker and ends it: after a crash, and where a group was left. */
import { readFileSync } from 'node:fs';
import { MARKER_VARIABLE } from './environment.ts';
import { endProcesses } from './process-group.ts';
import { ProcessReader, type ProcessState } from './process-list.ts';

/**
 * Ends the groups of all processes that carry `marker` in their environment, TERM first, and resolves with how
 * many processes there were. `sessions`: those of these sessions only. Only this user's can be seen. Linux only:
 * elsewhere nothing is found.
 */
export async function sweep(
  marker: string,
  sessions?: ReadonlySet<number>,
  reader = new ProcessReader(),
): Promise<number> {
  const find = async () => {
    const { all } = await reader.read();
    const among = sessions ? all.filter(({ session }) => sessions.has(session)) : all;
    return marked(among, marker, ownGroup(all));
  };
  const found = await find();
  if (found.length) await endProcesses(find, ['SIGTERM', 'SIGCONT']);
  return found.length;
}

/** A server that was itself started by a marked command must not end itself. */
function ownGroup(all: readonly ProcessState[]): number | undefined {
  return all.find(({ pid }) => pid === process.pid)?.group;
}

function marked(among: readonly ProcessState[], marker: string, own: number | undefined): ProcessState[] {
  const entry = `${MARKER_VARIABLE}=${marker}`;
  return among.filter((each) => each.group !== own && carries(each.pid, entry));
}

/** Whether a process was started with this in its environment: `NAME=value`. */
export function carries(pid: number, entry: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(entry);
  } catch {
    return false; // another user's, or ended
  }
}
