/** What the commands of a thread may do that goes on, or is forked. Pure. */
import { approvalPolicy, sandboxMode } from '@tscodex/shared/permissions';
import type { SessionState } from '@tscodex/shared/session-state';
import type { OwnPermissions } from '../../runtime/session-permissions.ts';
import type { ThreadSettings } from './thread-params.ts';

/** As before, but for what the client says now: what it leaves to the configuration, that has. */
export function keptPermissions(settings: ThreadSettings, before: OwnPermissions): OwnPermissions {
  const config = Object.keys(settings.config ?? {});
  const says = (key: string) => config.some((said) => said === key || said.startsWith(`${key}.`));
  return {
    sandbox: settings.sandbox ?? (says('sandbox_mode') ? null : before.sandbox),
    approval: settings.approvalPolicy ?? (says('approval_policy') ? null : before.approval),
    network: says('sandbox_workspace_write') ? null : before.network,
  };
}

/** Of a thread that is loaded: it may be less than when that was loaded. */
export function permissionsNow(
  state: Pick<SessionState, 'sandboxMode' | 'approvalPolicy' | 'networkAccess'>,
): OwnPermissions {
  return {
    sandbox: sandboxMode.parse(state.sandboxMode),
    approval: approvalPolicy.parse(state.approvalPolicy),
    network: state.networkAccess,
  };
}
