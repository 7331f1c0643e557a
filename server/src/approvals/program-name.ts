/** Which program a command's first word means. */
import { basename, dirname } from 'node:path';

/** Where only the administrator of the machine puts programs. */
const SYSTEM = new Set(['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin']);

/** Whether it is the program of that name as the machine has it, and not one of that name lying elsewhere. */
export function isSystemProgram(word: string): boolean {
  return !word.includes('/') || SYSTEM.has(dirname(word));
}

/** The name without its place. */
export function programName(word: string): string {
  return basename(word);
}
