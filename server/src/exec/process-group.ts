/**
 * Ends commands with all they started. A command leads a session of its own, so that is what belongs to it; what
 * left the session (`setsid`) does not.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Between the polite signals and the one that cannot be refused. */
const GRACE_MS = 2000;
const FIRST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 200;

export type ProcessState = { pid: number; parent: number; state: string; group: number; session: number };

/** What runs in the group of a command that has ended. `known`: the answer of last time, which spares a search. */
export function leftBehind(leader: number, known: readonly ProcessState[] = []): readonly ProcessState[] {
  if (!signalGroup(leader, 0)) return [];
  const still = known.filter(runs);
  return still.length ? still : ofSession(leader);
}

/** Ends all processes of the command's session; see `endProcesses`. */
export function endSession(leader: number, signals: readonly NodeJS.Signals[]): Promise<void> {
  return endProcesses(() => ofSession(leader), signals);
}

/**
 * Sends `signals` to the groups of what `find` finds, KILL two seconds later, and resolves once `find` finds
 * nothing that runs.
 */
export async function endProcesses(
  find: () => readonly ProcessState[],
  signals: readonly NodeJS.Signals[],
): Promise<void> {
  let running = find();
  for (const name of signals) signalGroups(running, name);
  const killAt = Date.now() + GRACE_MS;
  for (let wait = FIRST_LOOK_MS; running.length; wait = Math.min(2 * wait, LONGEST_LOOK_MS)) {
    await delay(wait);
    if (Date.now() >= killAt) signalGroups(running, 'SIGKILL');
    const still = running.filter(runs);
    running = still.length ? still : find();
  }
}

/**
 * Ends a program that is enclosed in bubblewrap, which passes no signals on: what is inside gets them, one by one as
 * it appears; two seconds later bubblewrap is killed, and everything inside with it. Resolves once bubblewrap has
 * ended.
 */
export async function endEnclosed(leader: number, signals: readonly NodeJS.Signals[]): Promise<void> {
  const asked = new Set<number>();
  const killAt = Date.now() + GRACE_MS;
  for (let wait = FIRST_LOOK_MS; !isGone(leader); wait = Math.min(2 * wait, LONGEST_LOOK_MS)) {
    if (Date.now() >= killAt) signal(leader, 'SIGKILL');
    const fresh = descendants(leader).filter(({ pid }) => !asked.has(pid));
    for (const { pid } of fresh) {
      asked.add(pid);
      for (const name of signals) signal(pid, name);
    }
    await delay(wait);
  }
}

/** Ctrl-C for an enclosed program: for the groups that are inside. */
export function interruptEnclosed(leader: number): void {
  signalGroups(
    descendants(leader).filter(({ group }) => group !== leader),
    'SIGINT',
  );
}

/** False when the group is gone or belongs to another user. */
export function signalGroup(group: number, name: NodeJS.Signals | 0): boolean {
  return signal(-group, name);
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false; // ESRCH, EPERM: nothing of ours is there
  }
}

/** Every process of this machine. Linux only: elsewhere there is nothing to read. */
export function allProcesses(): ProcessState[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (stateOf(name) ?? []) : []));
}

/** Whether it still runs and can be signalled. */
export function runs({ pid, group, session }: ProcessState): boolean {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  const now = stateOf(pid);
  // a zombie answers signals until its parent looks at it, which the parent of orphans may never do
  return now !== null && now.session === session && !/[ZX]/.test(now.state);
}

/** Whether the process has ended, though its parent may not have looked at it yet. Linux only. */
export function isGone(pid: number): boolean {
  return /[ZX]/.test(stateOf(pid)?.state ?? 'X');
}

/** The processes below this one. What has lost its parent inside a process namespace stays below its first process. */
export function descendants(ancestor: number): ProcessState[] {
  const all = allProcesses();
  const found = all.filter((each) => each.parent === ancestor);
  // grows while it is walked
  for (const { pid } of found) found.push(...all.filter((each) => each.parent === pid));
  return found.filter(({ pid }) => !isGone(pid));
}

/** Elsewhere than on Linux only the leader's own group is known. */
function ofSession(leader: number): ProcessState[] {
  const itself = { pid: leader, parent: 0, state: '', group: leader, session: leader };
  const all = process.platform === 'linux' ? allProcesses() : [itself];
  return all.filter((each) => each.session === leader && runs(each));
}

function signalGroups(processes: readonly ProcessState[], name: NodeJS.Signals): void {
  for (const group of new Set(processes.map((each) => each.group))) signalGroup(group, name);
}

function stateOf(pid: number | string): ProcessState | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // the name in parentheses may hold anything
    const [state = '', parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      pid: Number(pid),
      parent: Number(parent),
      state,
      group: Number(group),
      session: Number(session),
    };
  } catch {
    return null; // it has ended meanwhile
  }
}
