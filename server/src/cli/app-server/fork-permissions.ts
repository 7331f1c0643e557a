/** What a fork's commands may do. Pure. */
import { approvalPolicy, sandboxMode } from '@tscodex/shared/permissions';
import type { SessionState } from '@tscodex/shared/session-state';
import type { OwnPermissions } from '../../runtime/session-permissions.ts';
import type { ForkParams } from './thread-params.ts';

type Current = Pick<SessionState, 'sandboxMode' | 'approvalPolicy' | 'networkAccess'>;

/** As its source may now, which may be less than when that was loaded, but for what the client says of the fork. */
export function forkPermissions(params: ForkParams, source: Current): OwnPermissions {
  const config = Object.keys(params.config ?? {});
  // left to the configuration then, which has it
  const says = (key: string) => config.some((said) => said === key || said.startsWith(`${key}.`));
  return {
    sandbox: params.sandbox ?? (says('sandbox_mode') ? null : sandboxMode.parse(source.sandboxMode)),
    approval:
      params.approvalPolicy ?? (says('approval_policy') ? null : approvalPolicy.parse(source.approvalPolicy)),
    network: says('sandbox_workspace_write') ? null : source.networkAccess,
  };
}
