/** What a turn is to do otherwise than its thread did before: it holds from then on, as in Codex. Pure. */
import { resolve } from 'node:path';
import type { SessionState } from '@tscodex/shared/session-state';
import type { SessionChange } from '@tscodex/shared/workspace';
import type { SandboxSettings } from '../../base/config/config.ts';
import { Failure } from '../../base/errors.ts';
import type { SandboxPolicy, TurnParams } from './thread-params.ts';

type Current = Pick<
  SessionState,
  'model' | 'effort' | 'cwd' | 'approvalPolicy' | 'sandboxMode' | 'networkAccess'
>;

type Places = Pick<SandboxSettings, 'writableRoots' | 'slashTmp' | 'tmpdir'>;
type WorkspaceWrite = Extract<SandboxPolicy, { type: 'workspaceWrite' }>;

const MODES = {
  dangerFullAccess: 'danger-full-access',
  readOnly: 'read-only',
  workspaceWrite: 'workspace-write',
} as const;

/**
 * Only what changes: clients say all of it each time. `places`: where the thread's commands may write beside its
 * directory. Throws `turn.schema`, `turn.writable-roots`.
 */
export function turnOverrides(params: TurnParams, now: Current, places: Places): SessionChange {
  const { model, effort, cwd, approvalPolicy, sandboxPolicy, outputSchema } = params;
  if (outputSchema != null)
    throw new Failure(
      'invalid',
      'turn.schema',
      'turn/start.outputSchema is not served here: tscodex exec --output-schema is',
    );
  if (sandboxPolicy?.type === 'workspaceWrite') expectPlaces(sandboxPolicy, cwd ?? now.cwd, places);
  return {
    ...(model && model !== now.model ? { model } : {}),
    ...(effort && effort !== now.effort ? { effort } : {}),
    ...(cwd && cwd !== now.cwd ? { cwd } : {}),
    ...(approvalPolicy && approvalPolicy !== now.approvalPolicy ? { approval: approvalPolicy } : {}),
    ...(sandboxPolicy ? sandboxChange(sandboxPolicy, now) : {}),
  };
}

function sandboxChange(policy: SandboxPolicy, now: Current): SessionChange {
  const mode = MODES[policy.type];
  const network = policy.type === 'dangerFullAccess' ? now.networkAccess : policy.networkAccess;
  return {
    ...(mode === now.sandboxMode ? {} : { sandbox: mode }),
    ...(network === now.networkAccess ? {} : { network }),
  };
}

/** A thread keeps the places it began with: neither more than is asked for nor less is given in silence. */
function expectPlaces(
  policy: WorkspaceWrite,
  cwd: string,
  { writableRoots, slashTmp, tmpdir }: Places,
): void {
  const [own, asked] = [writableRoots, policy.writableRoots].map((roots) =>
    roots.map((root) => resolve(root)),
  );
  const further = (roots: readonly string[] = [], than: readonly string[] = []) =>
    roots.find((root) => root !== resolve(cwd) && !than.includes(root));
  const more = further(asked, own);
  if (more !== undefined)
    throw otherPlaces('writableRoots', `${more} is not one of this thread's`, 'writable_roots');
  const less = further(own, asked);
  if (less !== undefined)
    throw otherPlaces('writableRoots', `${less} is one of this thread's and is missing`, 'writable_roots');
  const expectExcluded = (field: keyof WorkspaceWrite, isExcluded: boolean, setting: string) => {
    if (policy[field] != null && policy[field] !== isExcluded)
      throw otherPlaces(field, `it is ${isExcluded} in this thread`, setting);
  };
  expectExcluded('excludeSlashTmp', !slashTmp, 'exclude_slash_tmp');
  expectExcluded('excludeTmpdirEnvVar', !tmpdir, 'exclude_tmpdir_env_var');
}

function otherPlaces(field: string, what: string, setting: string): Failure {
  return new Failure(
    'invalid',
    'turn.writable-roots',
    `turn/start.sandboxPolicy.${field}: ${what}; say so in thread/start as config "sandbox_workspace_write.${setting}"`,
  );
}
