/** What the model is told about its sandbox and about approvals. Pure. */
import asking from '@tscodex/prompts/permissions/asking.md';
import fullAccess from '@tscodex/prompts/permissions/full-access.md';
import fullAccessAsked from '@tscodex/prompts/permissions/full-access-asked.md';
import networkOff from '@tscodex/prompts/permissions/network-off.md';
import networkOn from '@tscodex/prompts/permissions/network-on.md';
import never from '@tscodex/prompts/permissions/never.md';
import onRequest from '@tscodex/prompts/permissions/on-request.md';
import readOnly from '@tscodex/prompts/permissions/read-only.md';
import refused from '@tscodex/prompts/permissions/refused.md';
import rules from '@tscodex/prompts/permissions/rules.md';
import unconfined from '@tscodex/prompts/permissions/unconfined.md';
import untrusted from '@tscodex/prompts/permissions/untrusted.md';
import workspaceWrite from '@tscodex/prompts/permissions/workspace-write.md';
import type { ApprovalPolicy, Permissions, SandboxProblem } from '@tscodex/shared/permissions';

export type PermissionFacts = {
  permissions: Permissions;
  /** Why this machine cannot confine commands; null: it can. */
  problem: SandboxProblem | null;
  /** Where confined commands may write. */
  writableRoots: readonly string[];
  cwd: string;
};

export function permissionsText(facts: PermissionFacts): string {
  return partsOf(facts)
    .map((part) => part.trim())
    .join('\n\n');
}

function partsOf(facts: PermissionFacts): string[] {
  const { sandbox, approval } = facts.permissions;
  if (sandbox === 'danger-full-access') return approval === 'never' ? [fullAccess] : [fullAccessAsked, rules];
  if (facts.problem !== null) return approval === 'never' ? [refused] : [unconfined, rules];
  return [sandboxText(facts), ...APPROVALS[approval]];
}

const APPROVALS: Readonly<Record<ApprovalPolicy, readonly string[]>> = {
  'on-request': [onRequest, asking, rules],
  untrusted: [untrusted, asking, rules],
  never: [never],
};

/** Only what may write may reach the network. */
function sandboxText({ permissions: { sandbox, network }, writableRoots, cwd }: PermissionFacts): string {
  if (sandbox === 'read-only') return `${readOnly.replace('{cwd}', () => cwd).trim()} ${networkOff}`;
  const roots = writableRoots.map((root) => `- \`${root}\``).join('\n');
  return `${workspaceWrite.replace('{roots}', () => roots).trim()} ${network ? networkOn : networkOff}`;
}
