/**
 * What is plainly dangerous about a command. It looks at every program named anywhere in it and guesses rather
 * than knows: a person is asked once too often before something is lost.
 */
import type { Risk } from '@tscodex/shared/permissions';
import { gitRisk } from './git-risk.ts';
import { hasOption } from './options.ts';
import type { ParsedCommand } from './parse-command.ts';
import { programName } from './program-name.ts';
import { programsIn, type Words } from './wrapped-programs.ts';

/** The worst that was found; null for nothing. */
export function riskOf({ guesses }: Pick<ParsedCommand, 'guesses'>): Risk | null {
  const found = guesses.flatMap(programsIn).map(riskOfProgram);
  return SEVERITY.find((risk) => found.includes(risk)) ?? null;
}

const SEVERITY: readonly Risk[] = ['everything', 'disk', 'power', 'delete', 'rewrite', 'discard', 'root'];

const BECOMES_ROOT = new Set(['sudo', 'su', 'doas', 'pkexec', 'run0']);

const POWER = new Set(['shutdown', 'reboot', 'halt', 'poweroff', 'telinit']);
const POWER_WORDS = /^(poweroff|reboot|halt|kexec|suspend|hibernate)$/;

function riskOfProgram([name, ...args]: Words): Risk | null {
  if (name === null || name === undefined) return null;
  return ownRisk(programName(name), args) ?? (BECOMES_ROOT.has(programName(name)) ? 'root' : null);
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
