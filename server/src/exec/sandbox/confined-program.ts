/** One program in bubblewrap: what it takes to start it, and what is to be done after its end. */
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { Failure } from '../../base/errors.ts';
import type { Exit, Program } from '../channel.ts';
import type { PipeStore } from '../pipe-store.ts';
import { type Abilities, bubblewrapArgv, launchArgv } from './bubblewrap.ts';
import { type BubblewrapStatus, insideGone, readStatus } from './bubblewrap-status.ts';
import type { Confinement } from './confinement.ts';
import { FilterGate } from './filter-gate.ts';
import { hostSockets, socketDirectories } from './host-sockets.ts';
import { mountCheck } from './mount-check.ts';
import { mountPlan, type Place, placeOf } from './mount-plan.ts';
import { asOwner, mayReach, type Owner } from './owner.ts';
import type { Placeholders } from './placeholders.ts';
import { expectVisible, placesOf, withinReach } from './places.ts';
import type { PreparedProgram } from './prepared-program.ts';
import { removeAppeared, unwantedOfGrant } from './protected-paths.ts';

/** What the sandbox has of it. */
export type Equipment = {
  bwrap: string;
  /** Where its files lie. */
  dir: string;
  abilities: Abilities;
  placeholders: Placeholders;
  pipes: PipeStore;
  filters: SystemCallFilters;
};

/** The one that leaves unix sockets out, and the one that lets them pass. */
export type SystemCallFilters = { noUnixSockets: Buffer; unixSockets: Buffer };

/** `owner`: null where it runs as this process's user. Throws what `placesOf`, `expectVisible` and `asOwner` do. */
export function enclose(
  program: Program,
  confinement: Confinement,
  { tty, owner }: { tty: boolean; owner: Owner | null },
  { bwrap, dir, abilities, placeholders, pipes, filters }: Equipment,
): PreparedProgram {
  const homes = program.env.HOME ? [program.env.HOME] : [];
  const uid = owner?.uid ?? process.getuid?.() ?? 0;
  const reaches = reachOf(owner);
  const openable = confinement.network || confinement.unixSockets;
  const hidden = [...confinement.hidden, ...(openable ? socketDirectories(uid) : [])];
  const plan = mountPlan(withinReach(placesOf({ ...confinement, hidden }, { uid, homes }), reaches));
  expectVisible(program.cwd, plan);
  const enclosed = bubblewrapArgv(
    {
      ...{ bwrap, tty, plan, argv: program.argv, cwd: program.cwd, network: confinement.network },
      sockets: openable
        ? hostSockets().filter((path) => reaches(path) && !exempt(path, confinement, plan))
        : [],
    },
    abilities,
  );
  const inside = { ...program, argv: enclosed };
  const status = join(dir, `status-${uuid()}`);
  const check = mountCheck(plan, reaches);
  const filter = openable ? filters.unixSockets : filters.noUnixSockets;
  const unwanted = confinement.write.flatMap(unwantedOfGrant);
  const empty = plan.filter(({ access }) => access === 'empty').map(({ path }) => path);
  const made = [() => rmSync(status, { force: true })];
  const tidy = () => made.forEach((undo) => void undo());
  try {
    made.unshift(placeholders.hold(empty));
    // the last: its environment is not to lie there for nothing
    const owned = owner ? asOwner(inside, owner, { dir, tty }) : { program: inside, tidy: () => undefined };
    made.unshift(owned.tidy);
    const pipe = pipes.takePath();
    let isRead = false;
    made.unshift(() => (isRead ? pipes.giveBack(pipe) : rmSync(pipe, { force: true })));
    let pid: number | null = null;
    const look = () => {
      pid ??= readStatus(status).inside;
      return pid === null ? 'unfinished' : check(pid);
    };
    const gate = new FilterGate(pipe, filter, look);
    made.unshift(() => gate.close());
    const told = openSync(status, 'wx', 0o600);
    made.unshift(() => closeSync(told));
    return {
      enclosed: true,
      program: tty
        ? {
            ...owned.program,
            argv: launchArgv(owned.program.argv, { filter: pipe, status }, abilities.defaultSignals),
          }
        : { ...owned.program, descriptors: [gate.reader, told] },
      release: async (exit, output) => {
        try {
          const ending = readStatus(status);
          if (exit) await insideGone(ending);
          // otherwise something that was not told of might wait there still, and take the next one's
          isRead = ending.ran && ending.inside !== null;
          return exit && (gate.refused ? moved() : failure(exit, ending, output, program));
        } finally {
          for (const path of unwanted) removeAppeared(path);
          tidy();
        }
      },
    };
  } catch (error) {
    tidy();
    throw error;
  }
}

/**
 * This process sees more than its commands where it is root: they have no capability that opens the directories of
 * others. Elsewhere it has found out for itself.
 */
function reachOf(owner: Owner | null): (path: string) => boolean {
  if (process.getuid?.() !== 0) return () => true;
  const user = owner ?? { uid: 0, groups: process.getgroups?.() ?? [0] };
  const known = new Map<string, boolean>();
  return (path) => mayReach(path, user, known);
}

/** A socket that cannot be seen needs no mask; one that a person has let it write is to be used. */
function exempt(path: string, { write }: Confinement, plan: readonly Place[]): boolean {
  return write.includes(path) || placeOf(path, plan)?.access === 'hidden';
}

function moved(): Failure {
  return new Failure(
    'conflict',
    'grants.changed',
    'nothing was run: while the sandbox was set up, a directory that it was to show was exchanged for something else',
  );
}

/** Why nothing has run: bubblewrap ended by itself, and tells of no end of the program. */
function failure(
  exit: Exit,
  { ran }: BubblewrapStatus,
  output: () => string,
  { argv: [file], cwd }: Program,
): Failure | null {
  if (ran || exit.exitCode === null) return null;
  const words = output().trim().split('\n').at(-1)?.trim() || 'bubblewrap said nothing';
  const [, unentered] = /^bwrap: Can't chdir to .*: (.*)$/.exec(words) ?? [];
  if (unentered !== undefined)
    return new Failure(
      'unavailable',
      'sandbox.cwd',
      `nothing was run: ${cwd} cannot be entered: ${unentered}`,
      {
        details: { path: cwd },
      },
    );
  const [, unstarted] = /^bwrap: execvp .*: (.*)$/.exec(words) ?? [];
  if (unstarted !== undefined)
    return new Failure('unavailable', 'exec.start', `${file} could not be started: ${unstarted}`);
  return new Failure(
    'unavailable',
    'sandbox.start',
    `nothing was run, the sandbox could not be set up: ${words}`,
    { details: { why: words } },
  );
}
