/** The processes of this machine. Linux only: elsewhere there is nothing to read. */
import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';

/** Read at a stretch, before others have their turn. */
const PORTION = 128;

export type ProcessState = { pid: number; parent: number; state: string; group: number; session: number };

/** All processes at one time, to be asked about without looking through all of them each time. */
export class ProcessList {
  readonly #children = new Map<number, ProcessState[]>();

  constructor(readonly all: readonly ProcessState[]) {
    for (const each of all) {
      const { parent } = each;
      const siblings = this.#children.get(parent);
      if (siblings) siblings.push(each);
      else this.#children.set(parent, [each]);
    }
  }

  /** The processes below this one. What has lost its parent inside a process namespace stays below its first process. */
  below(ancestor: number): ProcessState[] {
    const found = [...(this.#children.get(ancestor) ?? [])];
    // grows while it is walked
    for (const { pid } of found) for (const child of this.#children.get(pid) ?? []) found.push(child);
    return found.filter(({ state }) => !hasEnded(state));
  }
}

/** Reads the list; those who ask during one reading share the next, since theirs may have passed what they look for. */
export class ProcessReader {
  #current: Promise<ProcessList> | null = null;
  #next: Promise<ProcessList> | null = null;

  read(): Promise<ProcessList> {
    if (!this.#current) return this.#begin();
    const begin = () => {
      this.#next = null;
      return this.#begin();
    };
    this.#next ??= this.#current.then(begin, begin);
    return this.#next;
  }

  #begin(): Promise<ProcessList> {
    const reading = readProcesses().finally(() => {
      if (this.#current === reading) this.#current = null;
    });
    this.#current = reading;
    return reading;
  }
}

async function readProcesses(): Promise<ProcessList> {
  const numbers = processNumbers();
  const all: ProcessState[] = [];
  for (let start = 0; start < numbers.length; start += PORTION) {
    if (start > 0) await turn();
    all.push(...numbers.slice(start, start + PORTION).flatMap((pid) => stateOf(pid) ?? []));
  }
  return new ProcessList(all);
}

/** At once, which holds everything up for as long as it takes. */
export function allProcesses(): ProcessState[] {
  return processNumbers().flatMap((pid) => stateOf(pid) ?? []);
}

function processNumbers(): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Whether the process has ended, though its parent may not have looked at it yet. Elsewhere than on Linux always. */
export function isGone(pid: number): boolean {
  return hasEnded(stateOf(pid)?.state ?? 'X');
}

/** By the letter of its state: a zombie answers signals until its parent looks at it, which not every parent does. */
export function hasEnded(state: string): boolean {
  return /[ZX]/.test(state);
}

/** null where there is no such process any more. */
export function stateOf(pid: number): ProcessState | null {
  const [state, parent, group, session] = statOf(pid);
  if (state === undefined) return null;
  return { pid, parent: Number(parent), state, group: Number(group), session: Number(session) };
}

/** When it was started, in ticks since the machine was: another one of its number has another. null as in `stateOf`. */
export function startOf(pid: number): string | null {
  return statOf(pid)[19] ?? null;
}

/** What the kernel says of it, from its state on; nothing once it has ended. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // the name in parentheses may hold anything
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
