/** Which commands of git throw away what is not committed, or rewrite what others have. */
import type { Risk } from '@tscodex/shared/permissions';
import { hasOption } from './options.ts';
import type { Words } from './wrapped-programs.ts';

/** Options of git itself whose value is a word of its own. */
const WITH_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env']);

/** The command and its words, of the words after `git`. */
export function withoutGitOptions(args: Words): Words {
  let at = 0;
  while (args[at]?.startsWith('-')) at += WITH_VALUE.has(args[at] ?? '') ? 2 : 1;
  return args.slice(at);
}

/** `args`: the words after `git`. */
export function gitRisk(args: Words): Risk | null {
  const [command, ...rest] = withoutGitOptions(args);
  switch (command) {
    case 'reset':
      return rest.includes('--hard') ? 'discard' : null;
    case 'clean':
      return hasOption(rest, 'f', 'force') ? 'discard' : null;
    case 'checkout':
      return rest.some(isEverythingHere) || hasOption(rest, 'f', 'force') ? 'discard' : null;
    case 'restore':
      return rest.some(isEverythingHere) && changesFiles(rest) ? 'discard' : null;
    case 'switch':
      return hasOption(rest, 'f', 'force') || rest.includes('--discard-changes') ? 'discard' : null;
    case 'stash':
      return rest[0] === 'drop' || rest[0] === 'clear' ? 'discard' : null;
    case 'push':
      return rewritesRemote(rest) ? 'rewrite' : null;
    default:
      return null;
  }
}

function isEverythingHere(arg: string | null): boolean {
  return arg === '.' || arg === './' || arg === ':/' || arg === '*';
}

/** `--staged` alone takes them out of the index and leaves the files. */
function changesFiles(args: Words): boolean {
  return !hasOption(args, 'S', 'staged') || hasOption(args, 'W', 'worktree');
}

function rewritesRemote(args: Words): boolean {
  const isRewriting = (arg: string | null) =>
    arg !== null && /^(\+.+|:.+|--(force-with-lease|force-if-includes|mirror|delete|prune)(=.*)?)$/.test(arg);
  return hasOption(args, 'f', 'force') || hasOption(args, 'd', 'delete') || args.some(isRewriting);
}
