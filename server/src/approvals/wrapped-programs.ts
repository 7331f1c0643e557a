/** Programs that only start another one: what they are told to run is what a command does. */
import { programName } from './program-name.ts';

/** The words of one program; null for one that is known only when it runs. */
export type Words = readonly (string | null)[];

/** Shells whose `-c` is read as the machine's own would read it. */
export const SHELLS: ReadonlySet<string> = new Set(['bash', 'dash', 'sh', 'zsh']);
const OTHER_SHELLS = ['csh', 'fish', 'ksh', 'tcsh'];

/** What they run follows somewhere in their words. */
export const WRAPPERS: ReadonlySet<string> = new Set([
  ...SHELLS,
  ...OTHER_SHELLS,
  ...(
    'builtin busybox chroot chrt command doas env eval exec fakeroot flock ionice nice nohup nsenter parallel ' +
    'prlimit runuser setpriv setsid stdbuf su sudo systemd-run taskset time timeout toybox unbuffer unshare ' +
    'watch xargs xvfb-run'
  ).split(' '),
]);

/** Words of a wrapper that may be the program: nobody writes more before it. */
const MOST = 64;
/**
 * Words that are looked at from each of those on. No command that the grammar reads has more; in a longer one, all of
 * them each time would be costly.
 */
const MOST_AFTER = 4096;

/**
 * The words from each place on where a program may begin: the first alone, unless that one starts others. Which of
 * its words is the program then depends on its options, so each may be.
 */
export function programsIn(words: Words): Words[] {
  const count = startsOthers(words) ? Math.min(words.length, MOST) : Math.min(words.length, 1);
  return Array.from({ length: count }, (_, at) => (at === 0 ? words : words.slice(at, at + MOST_AFTER)));
}

function startsOthers([first, ...rest]: Words): boolean {
  const name = programName(first ?? '');
  return (
    WRAPPERS.has(name) || (name === 'find' && rest.some((word) => /^-(exec|ok)(dir)?$/.test(word ?? '')))
  );
}

/**
 * Whether what it runs is known only when it runs: its name is, or that of what it starts, or it is a shell that reads
 * what to run from its input.
 */
export function runsUnknown(words: Words): boolean {
  const [first] = words;
  if (first === null) return true;
  if (!startsOthers(words)) return false;
  if (programsIn(words).some(readsItsInput)) return true;
  const next = words.findIndex((word, at) => at > 0 && (word === null || !BEFORE_PROGRAM.test(word)));
  return next > 0 && runsUnknown(words.slice(next, next + MOST_AFTER));
}

/** Options, assignments and numbers. */
const BEFORE_PROGRAM = /^(?:[-+]|[A-Za-z_]\w*=|\d)/;

function readsItsInput([name, ...args]: Words): boolean {
  if (!name || !(SHELLS.has(programName(name)) || OTHER_SHELLS.includes(programName(name)))) return false;
  const isOption = (word: string | null) => word !== null && /^[-+]/.test(word);
  if (args.some((word) => word !== null && /^-[a-z]*s[a-z]*$/.test(word))) return true;
  return args.every((word) => isOption(word) && !/^(?:-[a-z]*c[a-z]*|--version|--help)$/.test(word ?? ''));
}
