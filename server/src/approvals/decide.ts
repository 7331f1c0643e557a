/**
 * Whether something the model wants to do runs, asks a person, or is refused. Pure: what is wanted, the policy
 * and what was granted go in, the decision comes out.
 */

export type ApprovalPolicy = 'untrusted' | 'on-request' | 'never';
export type SandboxMode = 'read-only' | 'workspace-write' | 'danger-full-access';

export type Policy = {
  approval: ApprovalPolicy;
  sandbox: SandboxMode;
  /** Whether the operating system holds commands to the declared mode. */
  confined: boolean;
  /** What a person has allowed for the rest of this session; see `grantKey`. */
  granted(key: string): boolean;
};
