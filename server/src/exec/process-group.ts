/** Ends commands with all they started. A command leads a session of its own, so that is what belongs to it. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Between the polite signal and the one that cannot be refused. */
const GRACE_MS = 2000;
const FIRST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 200;

/** Whether a command that has ended left processes behind in its group. */
export function leftSomething(leader: number): boolean {
  return signalGroup(leader, 0) && groupsOf(leader).length > 0;
}

/**
 * Sends `signals` to every group of the command's session, KILL two seconds later, and resolves once none of it
 * runs any more. What left the session (`setsid`) is not part of it.
 */
export function endSession(leader: number, signals: readonly NodeJS.Signals[]): Promise<void> {
  return endGroups(() => groupsOf(leader), signals);
}

/** As `endSession`, for whatever `running` finds. */
export async function endGroups(running: () => number[], signals: readonly NodeJS.Signals[]): Promise<void> {
  for (const group of running()) for (const signal of signals) signalGroup(group, signal);
  const killAt = Date.now() + GRACE_MS;
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(2 * wait, LONGEST_LOOK_MS)) {
    const signal = Date.now() < killAt ? 0 : 'SIGKILL';
    if (!running().filter((group) => signalGroup(group, signal)).length) return;
    await delay(wait);
  }
}

/** False when the group is gone or belongs to another user. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false; // ESRCH, EPERM: nothing of ours is there
  }
}

export type ProcessState = { pid: number; state: string; group: number; session: number };

/** Every process of this machine. Linux only; elsewhere there is nothing to read. */
export function allProcesses(): ProcessState[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? stateOf(name) : []));
}

/** The process groups of a session. Elsewhere than on Linux only the leader's own is known. */
function groupsOf(leader: number): number[] {
  if (process.platform !== 'linux') return signalGroup(leader, 0) ? [leader] : [];
  // a zombie answers signals until its parent looks at it, which the parent of orphans may never do
  const running = allProcesses().filter(({ session, state }) => session === leader && !/[ZX]/.test(state));
  return [...new Set(running.map(({ group }) => group))];
}

function stateOf(pid: string): ProcessState[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // the name in parentheses may hold anything
    const [state = '', , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [{ pid: Number(pid), state, group: Number(group), session: Number(session) }];
  } catch {
    return []; // it has ended meanwhile
  }
}
