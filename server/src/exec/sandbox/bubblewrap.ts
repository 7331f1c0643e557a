/** The command line of bubblewrap; pure. */
import { mountArguments, type Place } from './mount-plan.ts';

/** What the bubblewrap and the kernel of this machine can do. */
export type Abilities = {
  /** The directories and files of /proc that say or change things about the whole machine; null: it has no /proc. */
  proc: readonly string[] | null;
  /** Whether `--disable-userns` is known. */
  namespacesOff: boolean;
  /** Whether `--size` is known. */
  sizes: boolean;
  /** Whether `env --default-signal` is known. */
  defaultSignals: boolean;
};

/** The descriptors of the filter, and of what bubblewrap tells about itself: the first ones a program can be given. */
const FILTER = 3;
const STATUS = 4;

/** Bytes of memory that one command may fill with files. */
const SHARED_MEMORY = 512 * 1024 * 1024;

export type Enclosure = {
  bwrap: string;
  argv: readonly [string, ...string[]];
  cwd: string;
  tty: boolean;
  network: boolean;
  plan: readonly Place[];
  /** Unix sockets that cannot be connected to. */
  sockets: readonly string[];
};

/** Of /proc, what root may change without any capability, or what tells of the whole machine. */
export const PROC_OF_THE_MACHINE = [
  ...['sys', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'sysrq-trigger', 'mtrr', 'pressure'],
].map((name) => `/proc/${name}`);

export function bubblewrapArgv(enclosure: Enclosure, abilities: Abilities): [string, ...string[]] {
  const { bwrap, argv, cwd, tty, network, plan, sockets } = enclosure;
  const kept = (path: string) => ['--ro-bind-try', path, path];
  return [
    bwrap,
    '--die-with-parent',
    // a terminal is the command's own already; in another session it would have no job control
    ...(tty ? [] : ['--new-session']),
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network ? [] : ['--unshare-net']),
    ...['--ro-bind', '/', '/', '--dev', '/dev'],
    ...(abilities.sizes ? ['--perms', '1777', '--size', `${SHARED_MEMORY}`, '--tmpfs', '/dev/shm'] : []),
    ...mountArguments(plan),
    ...sockets.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    // otherwise it takes half of the machine's memory itself
    ...(abilities.sizes ? ['--remount-ro', '/dev'] : []),
    ...(abilities.proc ? ['--proc', '/proc', ...abilities.proc.flatMap(kept)] : []),
    ...['--cap-drop', 'ALL'],
    ...(abilities.namespacesOff ? ['--disable-userns'] : []),
    ...['--seccomp', `${FILTER}`, '--json-status-fd', `${STATUS}`],
    ...['--chdir', cwd, '--'],
    ...(tty && abilities.defaultSignals ? DEFAULT_SIGNALS : []),
    ...argv,
  ];
}

/** See `launchArgv`: what bubblewrap is made to ignore for the program's sake, the program shall not. */
const DEFAULT_SIGNALS = ['/usr/bin/env', '--default-signal=INT,QUIT,TSTP'] as const;

/**
 * Starts bubblewrap in a terminal, where a program gets no descriptors from Node: a shell opens the files. `ignoreKeys`:
 * Ctrl-C goes to bubblewrap as well, and would end everything inside with it.
 */
export function launchArgv(
  argv: readonly [string, ...string[]],
  files: { filter: string; status: string },
  ignoreKeys: boolean,
): [string, ...string[]] {
  const keys = ignoreKeys ? 'trap "" INT QUIT TSTP; ' : '';
  const open = `exec ${FILTER}<"$0" ${STATUS}>"$1"; shift; exec "$@"`;
  return ['/bin/sh', '-c', keys + open, files.filter, files.status, ...argv];
}
