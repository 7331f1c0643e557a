/** Programs that only start another one: what they are told to run is what a command does. */
import { programName } from './program-name.ts';

/** The words of one program; null for one that is known only when it runs. */
export type Words = readonly (string | null)[];

/** What they run follows somewhere in their words. */
const WRAPPERS = new Set(
  (
    'bash builtin busybox chroot chrt command csh dash doas env eval exec fakeroot fish flock ionice ksh ' +
    'nice nohup nsenter parallel prlimit runuser setpriv setsid sh stdbuf su sudo systemd-run taskset tcsh time timeout toybox unbuffer unshare watch xargs xvfb-run zsh'
  ).split(' '),
);

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
