/**
 * What makes a command of git do more than its first words say: it runs another program, writes a file, reads one
 * that is none of the repository's, sets the configuration or works in another repository.
 */
import { programName } from './program-name.ts';

/** Options of git itself that change nothing of the kind. */
const HARMLESS = new Set([
  ...[
    '--no-pager',
    '-P',
    '--no-optional-locks',
    '--no-replace-objects',
    '--no-lazy-fetch',
    '--literal-pathspecs',
  ],
  ...['--glob-pathspecs', '--noglob-pathspecs', '--icase-pathspecs'],
]);

/** Commands that only show what is in the repository. */
const READING = new Set([
  ...[
    'blame',
    'cat-file',
    'cherry',
    'describe',
    'diff',
    'log',
    'ls-files',
    'ls-tree',
    'merge-base',
    'name-rev',
  ],
  ...['rev-list', 'rev-parse', 'shortlog', 'show', 'show-ref', 'status', 'whatchanged'],
]);

/** Commands that run whatever they are told, or set what others run. */
const RUNNING = new Set([
  ...['bisect', 'config', 'credential', 'cvsserver', 'daemon', 'difftool', 'fast-import', 'filter-branch'],
  ...[
    'for-each-repo',
    'gui',
    'hook',
    'instaweb',
    'maintenance',
    'mergetool',
    'remote-ext',
    'send-email',
    'shell',
  ],
  ...['submodule', 'upload-pack', 'web--browse'],
]);

/** Long options, without their value. git takes any beginning of one. */
const LONG = [
  ...[
    'add-file',
    'config',
    'config-env',
    'contents',
    'exec',
    'exec-path',
    'ext-diff',
    'extcmd',
    'file',
    'filters',
    'git-dir',
  ],
  ...[
    'ignore-revs-file',
    'no-index',
    'open-files-in-pager',
    'output',
    'output-directory',
    'pathspec-from-file',
  ],
  ...['receive-pack', 'recurse-submodules', 'reference', 'reference-if-able', 'remote', 'separate-git-dir'],
  ...['strategy', 'template', 'textconv', 'unsafe-paths', 'upload-pack', 'work-tree'],
];

/** Short ones, that others may be joined to: those of any command, and of single ones. */
const SHORT = 'O';
const SHORT_OF: Readonly<Record<string, string | undefined>> = {
  ...{ archive: 'o', clone: 'cu', commit: 'F', 'format-patch': 'o', merge: 'Fs', notes: 'F', pull: 's' },
  ...{ rebase: 'xs', tag: 'F', 'cherry-pick': 's', revert: 's' },
};

/**
 * Whether one of the words from `from` on does. What stands before is what somebody has allowed word by word.
 */
export function gitReachesFurther([program = '', ...args]: readonly string[], from = 0): boolean {
  if (programName(program) !== 'git') return false;
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const command = args[at] ?? '';
  const short = new RegExp(`^-[A-Za-z]*[${SHORT}${SHORT_OF[command] ?? ''}]`);
  return args.some((arg, n) => {
    if (n + 1 < from) return false;
    if (at === -1 || n < at) return !HARMLESS.has(arg);
    if (n === at) return RUNNING.has(command);
    if (command === 'diff' && leadsOutside(arg)) return true;
    return arg.startsWith('--') ? isLong(arg) : short.test(arg);
  });
}

/** It compares any two files, wherever they lie. */
function leadsOutside(arg: string): boolean {
  return arg.startsWith('/') || arg.split('/').includes('..');
}

/** Whether these words certainly only show what is in the repository. */
export function gitOnlyReads(words: readonly string[]): boolean {
  const [program = '', ...args] = words;
  const command = args.find((arg) => !arg.startsWith('-')) ?? '';
  return programName(program) === 'git' && READING.has(command) && !gitReachesFurther(words);
}

/** `--` alone does not end them: it may be the value of the option before. */
function isLong(arg: string): boolean {
  const [name = ''] = arg.slice(2).split('=');
  return name !== '' && LONG.some((long) => long.startsWith(name));
}
