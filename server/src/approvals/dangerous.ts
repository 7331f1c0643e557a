/**
 * What is plainly dangerous about a command. It looks at every program named anywhere in it and guesses rather
 * than knows: a person is asked once too often before something is lost.
 */
import type { Risk } from '@tscodex/shared/permissions';
import { gitRisk } from './git-risk.ts';
import { hasOption } from './options.ts';
import type { ParsedCommand } from './parse-command.ts';
import { programName } from './program-name.ts';

/** The words of one program; null for one that is known only when it runs. */
type Words = readonly (string | null)[];

/** The worst that was found; null for nothing. */
export function riskOf({ guesses }: Pick<ParsedCommand, 'guesses'>): Risk | null {
  const found = guesses.map(riskOfProgram).filter((risk) => risk !== null);
  return SEVERITY.find((risk) => found.includes(risk)) ?? null;
}

const SEVERITY: readonly Risk[] = ['everything', 'disk', 'power', 'delete', 'rewrite', 'discard', 'root'];

/** What they run follows somewhere in their words. */
const WRAPPERS = new Set([
  ...['busybox', 'builtin', 'chroot', 'command', 'doas', 'env', 'exec', 'flock', 'ionice', 'nice', 'nohup'],
  ...['bash', 'dash', 'eval', 'sh', 'zsh'],
  ...['parallel', 'setsid', 'stdbuf', 'sudo', 'time', 'timeout', 'toybox', 'unshare', 'watch', 'xargs'],
]);

/** Words of a wrapper that are looked at: nobody writes more before the program. */
const MOST_WRAPPED = 64;

const BECOMES_ROOT = new Set(['sudo', 'su', 'doas', 'pkexec', 'run0']);

const POWER = new Set(['shutdown', 'reboot', 'halt', 'poweroff', 'telinit']);
const POWER_WORDS = /^(poweroff|reboot|halt|kexec|suspend|hibernate)$/;

function riskOfProgram(words: Words): Risk | null {
  const [name] = words;
  if (name === null || name === undefined) return null;
  // which of a wrapper's words is the program depends on its options, so each may be
  const starts = wraps(programName(name), words) ? Math.min(words.length, MOST_WRAPPED) : 1;
  let becomesRoot = false;
  for (let at = 0; at < starts; at++) {
    const word = words[at];
    if (word === null || word === undefined) continue;
    const risk = ownRisk(programName(word), words.slice(at + 1));
    if (risk !== null) return risk;
    becomesRoot ||= BECOMES_ROOT.has(programName(word));
  }
  return becomesRoot ? 'root' : null;
}

function wraps(name: string, words: Words): boolean {
  return (
    WRAPPERS.has(name) || (name === 'find' && words.some((word) => /^-(exec|ok)(dir)?$/.test(word ?? '')))
  );
}

function ownRisk(name: string, args: Words): Risk | null {
  if (name === 'rm') return hasOption(args, 'f', 'force') ? 'delete' : null;
  if (name === 'git') return gitRisk(args);
  if (name === 'dd') return args.some(writesToDevice) ? 'disk' : null;
  if (/^mk(e2)?fs(\.|$)/.test(name) || name === 'wipefs') return 'disk';
  if (/^ch(mod|own|grp)$/.test(name))
    return hasOption(args, 'R', 'recursive') && args.some(isRoot) ? 'everything' : null;
  if (POWER.has(name)) return 'power';
  if (name === 'systemctl' || name === 'loginctl')
    return args.some((arg) => arg !== null && POWER_WORDS.test(arg)) ? 'power' : null;
  return name === 'init' && /^[06]$/.test(args[0] ?? '') ? 'power' : null;
}

/** `/dev/null` and the like take anything. */
function writesToDevice(arg: string | null): boolean {
  return arg === null || /^of=\/dev\/(?!(null|zero|full|stdout|stderr|tty|fd\/\d+)$)/.test(arg);
}

function isRoot(arg: string | null): boolean {
  return arg !== null && /^\/+(\.\/*|\*)?$/.test(arg);
}
