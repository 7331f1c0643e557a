/** Programs that only read, whatever their arguments are, and options that make others of them more than that. */
import { isSystemProgram, programName } from './program-name.ts';

const READING = new Set([
  ...[
    'cat',
    'cd',
    'cut',
    'echo',
    'expr',
    'false',
    'grep',
    'head',
    'id',
    'ls',
    'nl',
    'numfmt',
    'paste',
    'pwd',
  ],
  ...['rev', 'seq', 'stat', 'tac', 'tail', 'tr', 'true', 'uname', 'wc', 'which', 'whoami'],
]);

const FIND_ACTS = new Set([
  ...['-exec', '-execdir', '-ok', '-okdir', '-delete', '-fls', '-fprint', '-fprint0', '-fprintf'],
]);

/** What these programs' arguments must not hold, or must be; short options may be joined to others. */
const READING_IF: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  base64: (args) => !args.some((arg) => /^-\w*o/.test(arg) || arg.startsWith('--o')),
  find: (args) => !args.some((arg) => FIND_ACTS.has(arg)),
  // it runs other programs for these
  rg: (args) => !args.some((arg) => /^--(pre|hostname-bin)(=|$)|^--search-zip$|^-\w*z/.test(arg)),
  sed: ([option, lines = '', ...files]) =>
    option === '-n' && /^\d+(,\d+)?p$/.test(lines) && files.length <= 1 && !files[0]?.startsWith('-'),
  // its second file is written
  uniq: (args) => args.filter((arg) => !arg.startsWith('-')).length <= 1,
};

/** Whether all that this program does is to show files: which ones its words say. */
export function isReader(program: string): boolean {
  const name = programName(program);
  return READING.has(name) || Object.hasOwn(READING_IF, name);
}

/** Whether these words certainly change nothing. */
export function isKnownSafe([program = '', ...args]: readonly string[]): boolean {
  if (!isSystemProgram(program)) return false;
  const name = programName(program);
  if (READING.has(name)) return true;
  return Object.hasOwn(READING_IF, name) && READING_IF[name]?.(args) === true;
}
