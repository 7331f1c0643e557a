/**
 * Ends commands with all they started. A command leads a session of its own, so that is what belongs to it; what
 * left the session (`setsid`) does not.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  allProcesses,
  hasEnded,
  isGone,
  type ProcessReader,
  type ProcessState,
  stateOf,
} from './process-list.ts';

/** Between the polite signals and the one that cannot be refused. */
const GRACE_MS = 2000;
const FIRST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 200;

/** What runs in the group of a command that has ended. `known`: the answer of last time, which spares a search. */
export function leftBehind(leader: number, known: readonly ProcessState[] = []): readonly ProcessState[] {
  if (!signalGroup(leader, 0)) return [];
  const first = known.findIndex(runs);
  if (first >= 0) return known.slice(first);
  try {
    return stillRunning(ofSession(leader, allProcesses()));
  } catch {
    return [alone(leader)]; // they cannot be read for the moment; something is there, and is looked for again
  }
}

/** Ends all processes of the command's session; see `endProcesses`. */
export function endSession(
  leader: number,
  signals: readonly NodeJS.Signals[],
  reader: ProcessReader,
): Promise<void> {
  return endProcesses(async () => ofSession(leader, (await reader.read()).all), signals);
}

/**
 * Sends `signals` to the groups of what `find` finds, KILL two seconds later, and resolves once `find` finds
 * nothing that runs. `find` reads the processes anew each time.
 */
export async function endProcesses(
  find: () => Promise<readonly ProcessState[]>,
  signals: readonly NodeJS.Signals[],
): Promise<void> {
  let running = stillRunning(await find());
  for (const name of signals) signalGroups(running, name);
  const killAt = Date.now() + GRACE_MS;
  for (let wait = FIRST_LOOK_MS; running.length; wait = Math.min(2 * wait, LONGEST_LOOK_MS)) {
    await delay(wait);
    if (Date.now() >= killAt) signalGroups(running, 'SIGKILL');
    running = stillRunning(await find());
  }
}

/**
 * Ends a program that is enclosed in bubblewrap, which passes no signals on: what is inside gets them, one by one as
 * it appears; two seconds later bubblewrap is killed, and everything inside with it. Resolves once bubblewrap has
 * ended.
 */
export async function endEnclosed(
  leader: number,
  signals: readonly NodeJS.Signals[],
  reader: ProcessReader,
): Promise<void> {
  const asked = new Set<number>();
  const killAt = Date.now() + GRACE_MS;
  for (let wait = FIRST_LOOK_MS; !isGone(leader); wait = Math.min(2 * wait, LONGEST_LOOK_MS)) {
    if (Date.now() >= killAt) signal(leader, 'SIGKILL');
    const fresh = (await reader.read()).below(leader).filter(({ pid }) => !asked.has(pid));
    for (const { pid } of fresh) {
      asked.add(pid);
      for (const name of signals) signal(pid, name);
    }
    await delay(wait);
  }
}

/** Ctrl-C for an enclosed program: for the groups that are inside. */
export async function interruptEnclosed(leader: number, reader: ProcessReader): Promise<void> {
  signalGroups(
    (await reader.read()).below(leader).filter(({ group }) => group !== leader),
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

/** Whether it still runs and can be signalled. */
function runs({ pid, group, session }: ProcessState): boolean {
  if (!signalGroup(group, 0)) return false;
  if (process.platform !== 'linux') return true;
  const now = stateOf(pid);
  return now !== null && now.session === session && !hasEnded(now.state);
}

/** As `runs`, of what was read only just now: each group is tried once, for the kernel looks at all that is in it. */
function stillRunning(found: readonly ProcessState[]): readonly ProcessState[] {
  const reached = new Set([...groupsOf(found)].filter((group) => signalGroup(group, 0)));
  return found.filter(({ state, group }) => !hasEnded(state) && reached.has(group));
}

/** Elsewhere than on Linux only the leader's own group is known. */
function ofSession(leader: number, all: readonly ProcessState[]): ProcessState[] {
  return process.platform === 'linux' ? all.filter(({ session }) => session === leader) : [alone(leader)];
}

function alone(leader: number): ProcessState {
  return { pid: leader, parent: 0, state: '', group: leader, session: leader };
}

function signalGroups(processes: readonly ProcessState[], name: NodeJS.Signals): void {
  for (const group of groupsOf(processes)) signalGroup(group, name);
}

function groupsOf(processes: readonly ProcessState[]): Set<number> {
  return new Set(processes.map(({ group }) => group));
}
