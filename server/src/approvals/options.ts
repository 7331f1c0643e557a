/** Options among the words of a command. */
import type { Words } from './wrapped-programs.ts';

/** A short option, also among joined ones, or a long one, also shortened; not after `--`. */
export function hasOption(args: Words, short: string, long: string): boolean {
  const end = args.indexOf('--');
  const joined = new RegExp(`^-[A-Za-z]*${short}`);
  return (end === -1 ? args : args.slice(0, end)).some((arg) => {
    if (arg === null || arg === undefined) return false;
    if (arg.startsWith('--')) return arg.length > 2 && `--${long}`.startsWith(arg);
    return joined.test(arg);
  });
}
