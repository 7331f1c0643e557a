/**
 * Whether something the model wants to do runs, asks a person, or is refused. Pure: what is wanted, the policy
 * and what was granted go in, the decision comes out.
 */
import type { ApprovalPolicy, SandboxMode } from '@tscodex/shared/permissions';

export type Policy = {
  approval: ApprovalPolicy;
  sandbox: SandboxMode;
  /** Whether the operating system holds commands to the declared mode. */
  confined: boolean;
  /** What a person has allowed for the rest of this session; see `grantKeys`. */
  granted(key: string): boolean;
};

/**
 * Something that has an effect. `cwd` and `paths` are absolute and resolved: what will really be touched. `typed`:
 * the command runs already, and this is what goes into it.
 */
export type Action =
  | { what: 'command'; command: string; cwd: string; typed?: string }
  | { what: 'patch'; paths: readonly string[] };

export type Decision =
  | { outcome: 'allow' }
  | { outcome: 'ask' }
  /** `reason` is for the model and names the settings that forbid it. */
  | { outcome: 'forbid'; reason: string };

/**
 * Nothing runs unconfined without a person, unless the settings say so in both words. A patch is written by this
 * process itself, so no sandbox holds it.
 */
export function decide(action: Action, policy: Policy): Decision {
  const confined = policy.confined && action.what === 'command';
  if (policy.approval === 'never') {
    if (confined || policy.sandbox === 'danger-full-access') return { outcome: 'allow' };
    return { outcome: 'forbid', reason: refusal(action, policy) };
  }
  if (confined && policy.approval === 'on-request') return { outcome: 'allow' };
  return isGranted(action, policy) ? { outcome: 'allow' } : { outcome: 'ask' };
}

/**
 * What "for this session" covers: the identical command in the same directory; each of the same files. Nothing for
 * what is typed: leave for single letters would add up to leave for any word.
 */
export function grantKeys(action: Action): string[] {
  if (action.what === 'patch') return action.paths.map((path) => `file:${path}`);
  const { cwd, command, typed } = action;
  return typed === undefined ? [`command:${JSON.stringify([cwd, command])}`] : [];
}

function isGranted(action: Action, policy: Policy): boolean {
  const keys = grantKeys(action);
  return keys.length > 0 && keys.every((key) => policy.granted(key));
}

function refusal(action: Action, policy: Policy): string {
  return (
    `This ${action.what} would run without confinement by the operating system, and nobody may be asked: ` +
    `approval_policy = "never", sandbox_mode = "${policy.sandbox}". ` +
    'It is possible with approval_policy = "on-request", where a person decides, ' +
    'or with sandbox_mode = "danger-full-access".'
  );
}
