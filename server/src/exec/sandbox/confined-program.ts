/** One program in bubblewrap: what it takes to start it, and what is to be done after its end. */
import { chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { Failure } from '../../base/errors.ts';
import type { Exit, Program } from '../channel.ts';
import { type Abilities, bubblewrapArgv, launchArgv } from './bubblewrap.ts';
import { type BubblewrapStatus, insideGone, readStatus } from './bubblewrap-status.ts';
import type { Confinement } from './confinement.ts';
import { hostSockets, socketDirectories } from './host-sockets.ts';
import { meantMounts, REFUSALS } from './mount-check.ts';
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
  /** The file of the filter that leaves unix sockets out, and of the one that lets them pass. */
  filters: { noUnixSockets: string; unixSockets: string };
};

/** `owner`: null where it runs as this process's user. Throws what `placesOf`, `expectVisible` and `asOwner` do. */
export function enclose(
  program: Program,
  confinement: Confinement,
  { tty, owner }: { tty: boolean; owner: Owner | null },
  { bwrap, dir, abilities, placeholders, filters }: Equipment,
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
  const mounts = join(dir, `mounts-${uuid()}`);
  const meant = meantMounts(plan, reaches);
  const filter = openable ? filters.unixSockets : filters.noUnixSockets;
  const unwanted = confinement.write.flatMap(unwantedOfGrant);
  const empty = plan.filter(({ access }) => access === 'empty').map(({ path }) => path);
  const made = [() => [status, mounts].forEach((file) => void rmSync(file, { force: true }))];
  const tidy = () => made.forEach((undo) => void undo());
  try {
    writeFileSync(mounts, meant, { mode: 0o600, flag: 'wx' });
    if (owner) chownSync(mounts, owner.uid, owner.gid);
    made.unshift(placeholders.hold(empty));
    // the last: its environment is not to lie there for nothing
    const owned = owner ? asOwner(inside, owner, { dir, tty }) : { program: inside, tidy: () => undefined };
    made.unshift(owned.tidy);
    return {
      enclosed: true,
      program: {
        ...owned.program,
        argv: launchArgv(owned.program.argv, { filter, status, mounts }, tty && abilities.defaultSignals),
      },
      release: async (exit, output) => {
        try {
          const told = readStatus(status);
          const refused = wordAfter(meant, mounts);
          if (exit) await insideGone(told);
          return exit && (refusal(refused, program.argv[0]) ?? failure(exit, told, output, program.cwd));
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

/** What the check of the mounts has written; nothing where that cannot be read: how the program ended is known. */
function wordAfter(meant: Buffer, mounts: string): string {
  try {
    return readFileSync(mounts).subarray(meant.length).toString().trim();
  } catch {
    return '';
  }
}

/**
 * This process sees more than its commands where it is root: they have no capability that opens the directories of
 * others. Elsewhere it has found out for itself.
 */
function reachOf(owner: Owner | null): (path: string) => boolean {
  if (process.getuid?.() !== 0) return () => true;
  const user = owner ?? { uid: 0, groups: process.getgroups?.() ?? [0] };
  return (path) => mayReach(path, user);
}

/** A socket that cannot be seen needs no mask; one that a person has let it write is to be used. */
function exempt(path: string, { write }: Confinement, plan: readonly Place[]): boolean {
  return write.includes(path) || placeOf(path, plan)?.access === 'hidden';
}

/** Why the check of the mounts has not started the program. */
function refusal(word: string, file: string): Failure | null {
  if (word === REFUSALS.missing)
    return new Failure(
      'unavailable',
      'exec.start',
      `${file} could not be started: No such file or directory`,
    );
  if (word !== REFUSALS.moved) return null;
  return new Failure(
    'conflict',
    'grants.changed',
    'nothing was run: while the sandbox was set up, a directory that it was to show was exchanged for something else',
  );
}

/** Why nothing has run: bubblewrap ended by itself, and tells of no end of the program. */
function failure(exit: Exit, { ran }: BubblewrapStatus, output: () => string, cwd: string): Failure | null {
  if (ran || exit.exitCode === null) return null;
  const words = output().trim().split('\n').at(-1)?.trim() || 'bubblewrap said nothing';
  const [, why] = /^bwrap: Can't chdir to .*: (.*)$/.exec(words) ?? [];
  if (why !== undefined)
    return new Failure('unavailable', 'sandbox.cwd', `nothing was run: ${cwd} cannot be entered: ${why}`, {
      details: { path: cwd },
    });
  return new Failure(
    'unavailable',
    'sandbox.start',
    `nothing was run, the sandbox could not be set up: ${words}`,
    { details: { why: words } },
  );
}
