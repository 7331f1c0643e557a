/** What mends a machine that cannot confine commands, by the kind of its problem. Pure. */
import type { SandboxProblem } from '@tscodex/shared/permissions';

/** `line`: to be run, or given to the container as it starts. null: nothing that one line could do. */
export type Fix = { how: 'permissions.fix' | 'permissions.fixContainer'; line: string };

const PROFILE = String.raw`abi <abi/4.0>,\nprofile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }\n`;

const FIXES: Partial<Record<SandboxProblem['kind'], Fix>> = {
  'bwrap-missing': { how: 'permissions.fix', line: 'sudo apt install bubblewrap' },
  'bwrap-too-old': { how: 'permissions.fix', line: 'sudo apt install --only-upgrade bubblewrap' },
  'userns-limit': { how: 'permissions.fix', line: 'sudo sysctl -w user.max_user_namespaces=15000' },
  'userns-denied': {
    how: 'permissions.fixContainer',
    line: '--security-opt seccomp=unconfined --security-opt apparmor=unconfined',
  },
  'apparmor-userns': {
    how: 'permissions.fix',
    line: `printf '${PROFILE}' | sudo tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap`,
  },
  'not-enforcing': { how: 'permissions.fix', line: 'sudo apt install --reinstall bubblewrap' },
};

export function fixOf({ kind }: SandboxProblem): Fix | null {
  return FIXES[kind] ?? null;
}
