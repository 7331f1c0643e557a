/** What a Codex may do that an agent has started for one task: never more than that agent itself. Pure. */
import type { Permissions } from '@tscodex/shared/permissions';
import type { OneShotMode } from '../../base/config/config-schema.ts';
import { Failure } from '../../base/errors.ts';

export type OneShotHold = {
  /** Whatever it asks is declined: nobody is there to answer. */
  approval: Permissions['approval'];
  /** Who decides what it asks, in Codex's words. */
  reviewer: 'user' | 'auto_review';
  sandbox: Permissions['sandbox'];
  network: boolean;
};

/**
 * `permissions`: of the session that has started it. Full access is only for one that has it without being asked; else
 * the sandbox is that of the session, and at most `workspace-write`. Where the session asks people about every command,
 * Codex asks about all that it does not trust: with `never` that is declined, with `approve-for-me` its reviewer decides
 * in people's place, because whoever wrote the configuration has said so. Where nobody is to be asked, nothing goes
 * beyond the sandbox. Throws `agent.codex-permissions`.
 */
export function oneShotHold(mode: OneShotMode, permissions: Permissions): OneShotHold {
  const { sandbox, approval, network } = permissions;
  const full = sandbox === 'danger-full-access';
  if (mode === 'dangerously-bypass-approvals-and-sandbox') {
    if (!full || approval !== 'never') throw notAllowed(permissions);
    return { approval: 'never', reviewer: 'user', sandbox, network: true };
  }
  const reviewed = mode === 'approve-for-me';
  const asksAll = approval === 'untrusted' || (full && approval !== 'never');
  const held = full ? 'workspace-write' : sandbox;
  return {
    approval: asksAll ? 'untrusted' : reviewed ? approval : 'never',
    reviewer: reviewed ? 'auto_review' : 'user',
    sandbox: held,
    network: held === 'workspace-write' && network,
  };
}

function notAllowed({ sandbox, approval }: Permissions): Failure {
  return new Failure(
    'forbidden',
    'agent.codex-permissions',
    `permission_mode under [tscodex.subagent_codex] lets Codex do anything, and this session may not: it has sandbox ${sandbox} and approvals ${approval}. Set it to "never" or "approve-for-me".`,
    { details: { sandbox, approval } },
  );
}
