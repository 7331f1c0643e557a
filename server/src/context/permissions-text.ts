/** What the model is told about its sandbox and about approvals. Pure. */
import fullAccess from '@tscodex/prompts/permissions/full-access.md';
import refused from '@tscodex/prompts/permissions/refused.md';
import unconfined from '@tscodex/prompts/permissions/unconfined.md';
import type { Permissions, SandboxProblem } from '@tscodex/shared/permissions';

export type PermissionFacts = {
  permissions: Permissions;
  /** Why this machine cannot confine commands; null: it can. */
  problem: SandboxProblem | null;
  /** Where confined commands may write. */
  writableRoots: readonly string[];
  cwd: string;
};

export function permissionsText({ permissions: { approval, sandbox } }: PermissionFacts): string {
  if (approval !== 'never') return unconfined.trim();
  return (sandbox === 'danger-full-access' ? fullAccess : refused).trim();
}
