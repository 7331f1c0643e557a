/** How a model asks for more than its sandbox gives, in Codex's words, and what that comes to. */
import type { Grants } from '@tscodex/shared/permissions';
import * as z from 'zod';
import { Failure } from '../base/errors.ts';

/** Characters of a reason that a person is to read. */
const REASON_LIMIT = 4096;

/** Why a person is to allow something. */
export const reason = z
  .string()
  .max(REASON_LIMIT, `the reason is longer than ${REASON_LIMIT} characters; one sentence is enough`)
  .nullish();

const paths = z.array(z.string().min(1).max(4096)).max(50).nullish();

/** What a model may ask for one by one. */
export const permissionProfile = z.object({
  network: z
    .object({ enabled: z.boolean().nullish() })
    .nullish()
    .describe('`{"enabled": true}` for access to the network.'),
  file_system: z
    .object({ read: paths, write: paths })
    .nullish()
    .describe('Paths to read that are hidden, and to write; a directory stands for all in it.'),
});
type PermissionProfile = z.output<typeof permissionProfile>;

/** Arguments of `exec_command`. */
export const sandboxArguments = {
  sandbox_permissions: z
    .enum(['use_default', 'require_escalated', 'with_additional_permissions'])
    .default('use_default')
    .describe('`use_default`: in the sandbox. The others have people asked; see `justification`.'),
  additional_permissions: permissionProfile
    .nullish()
    .describe('With `with_additional_permissions`: what it needs beyond the sandbox.'),
  justification: reason.describe('For the person who may have to allow it: what it is for, in one sentence.'),
  prefix_rule: z
    .array(z.string().min(1).max(200))
    .max(20)
    .nullish()
    .describe('First words of the command that people may allow for good, where they are asked about it.'),
};

/** As the model wrote it: paths are not resolved yet. */
export function grantsOf({ network, file_system }: PermissionProfile): Grants {
  const { read, write } = file_system ?? {};
  return {
    ...(network?.enabled ? { network: true } : {}),
    ...(read?.length ? { read } : {}),
    ...(write?.length ? { write } : {}),
  };
}

type SandboxArguments = {
  sandbox_permissions: 'use_default' | 'require_escalated' | 'with_additional_permissions';
  additional_permissions?: PermissionProfile | null;
};

/** What a command asks for. Throws `grants.unclear` where its arguments say two things. */
export function wantedBy({
  sandbox_permissions: how,
  additional_permissions: more,
}: SandboxArguments): Grants {
  const grants = more ? grantsOf(more) : {};
  const names = Object.keys(grants).length > 0;
  if (how === 'with_additional_permissions' && !names) throw unclear('it names no additional_permissions');
  if (how !== 'with_additional_permissions' && names)
    throw unclear(`additional_permissions come with "with_additional_permissions", not with "${how}"`);
  return how === 'require_escalated' ? { unconfined: true } : grants;
}

function unclear(why: string): Failure {
  return new Failure('invalid', 'grants.unclear', `${why}; nothing was run`);
}
