/** What a turn is to do otherwise than its thread did before: it holds from then on, as in Codex. Pure. */
import type { SessionState } from '@tscodex/shared/session-state';
import type { SessionChange } from '@tscodex/shared/workspace';
import { Failure } from '../../base/errors.ts';
import type { SandboxPolicy, TurnParams } from './thread-params.ts';

type Current = Pick<
  SessionState,
  'model' | 'effort' | 'cwd' | 'approvalPolicy' | 'sandboxMode' | 'networkAccess'
>;

const MODES = {
  dangerFullAccess: 'danger-full-access',
  readOnly: 'read-only',
  workspaceWrite: 'workspace-write',
} as const;

/** Only what changes: clients say all of it each time. Throws `turn.schema`, `turn.writable-roots`. */
export function turnOverrides(params: TurnParams, now: Current, writable: readonly string[]): SessionChange {
  const { model, effort, cwd, approvalPolicy, sandboxPolicy, outputSchema } = params;
  if (outputSchema != null)
    throw new Failure(
      'invalid',
      'turn.schema',
      'turn/start.outputSchema is not served here: tscodex exec --output-schema is',
    );
  return {
    ...(model && model !== now.model ? { model } : {}),
    ...(effort && effort !== now.effort ? { effort } : {}),
    ...(cwd && cwd !== now.cwd ? { cwd } : {}),
    ...(approvalPolicy && approvalPolicy !== now.approvalPolicy ? { approval: approvalPolicy } : {}),
    ...(sandboxPolicy ? sandboxChange(sandboxPolicy, now, writable) : {}),
  };
}

function sandboxChange(policy: SandboxPolicy, now: Current, writable: readonly string[]): SessionChange {
  const mode = MODES[policy.type];
  const roots = policy.type === 'workspaceWrite' ? policy.writableRoots : [];
  const further = roots.find((root) => root !== now.cwd && !writable.includes(root));
  if (further !== undefined)
    throw new Failure(
      'invalid',
      'turn.writable-roots',
      `turn/start.sandboxPolicy.writableRoots: ${further} is not one of this thread's; name it in thread/start as config "sandbox_workspace_write.writable_roots"`,
    );
  const network = policy.type === 'dangerFullAccess' ? now.networkAccess : policy.networkAccess;
  return {
    ...(mode === now.sandboxMode ? {} : { sandbox: mode }),
    ...(network === now.networkAccess ? {} : { network }),
  };
}
