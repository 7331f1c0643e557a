/** Why this machine cannot confine commands, and what mends it: a sentence and a line for each kind of problem. */
import type { SandboxProblem } from '@tscodex/shared/permissions';
import type { Config } from '../../base/config/config.ts';

type Kind = SandboxProblem['kind'];

/** `fix` is one line, a command where one does it; the page has its own words for both. */
type Words = { sentence: string; fix: string };

const USERNS = 'sysctl -w user.max_user_namespaces=15000';

const words: Record<Kind, Words> = {
  'bwrap-missing': {
    sentence: 'bubblewrap is not installed.',
    fix: 'apt-get install bubblewrap, or name it in config.toml: [tscodex] bwrap = "/path/to/bwrap".',
  },
  'bwrap-too-old': {
    sentence: 'bubblewrap is too old.',
    fix: 'install bubblewrap 0.8.0 or newer.',
  },
  'userns-limit': {
    sentence: 'The limit of user namespaces is reached or zero.',
    fix: `as root: ${USERNS}.`,
  },
  'userns-denied': {
    sentence: 'User namespaces are not allowed here, as in most containers.',
    fix: 'in Docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined; on Debian: sysctl -w kernel.unprivileged_userns_clone=1.',
  },
  'apparmor-userns': {
    sentence: 'AppArmor does not let bubblewrap make user namespaces.',
    fix: 'as root, put "profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }" below "abi <abi/4.0>," into /etc/apparmor.d/bwrap and run: apparmor_parser -r /etc/apparmor.d/bwrap.',
  },
  'not-enforcing': {
    sentence: 'What was started as bubblewrap holds nothing in.',
    fix: 'use the bubblewrap of your distribution; [tscodex] bwrap in config.toml names another program.',
  },
  'untested-architecture': {
    sentence: "The filter of system calls is not proven on this machine's architecture.",
    fix: 'run the server on x86-64.',
  },
  'unsupported-system': {
    sentence: 'This operating system has nothing that confines commands.',
    fix: 'run the server on Linux.',
  },
  other: {
    sentence: 'The sandbox could not be set up.',
    fix: 'look at the detail, and whether bwrap --ro-bind / / --unshare-user true works.',
  },
};

export function sandboxWords({ kind }: SandboxProblem): Words {
  return words[kind];
}

/** One line: whether commands are confined, else why not and what mends it. `config`: what the server was told. */
export function sandboxLine(
  problem: SandboxProblem | null,
  { permissions, unattended }: Pick<Config, 'permissions' | 'unattended'>,
): string {
  if (unattended)
    return 'Commands run unconfined and nobody is asked: approval_policy = "never" and sandbox_mode = "danger-full-access".';
  if (permissions.sandbox === 'danger-full-access')
    return 'Commands are not confined: each asks first, as sandbox_mode = "danger-full-access" wants it.';
  if (!problem) return 'Commands are confined.';
  const { sentence, fix } = sandboxWords(problem);
  const detail = problem.detail ? ` (${problem.detail})` : '';
  return `Commands are not confined: each asks first. ${sentence}${detail} Fix: ${fix}`;
}
