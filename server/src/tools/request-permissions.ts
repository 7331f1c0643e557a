/** `request_permissions`: asks for more than the sandbox gives, for all commands that follow. */
import description from '@tscodex/prompts/tools/request-permissions.md';
import * as z from 'zod';
import { Failure } from '../base/errors.ts';
import { permission } from './approved-exec.ts';
import { isNothing, resolveGrants } from './grants.ts';
import { grantsOf, permissionProfile, reason } from './sandbox-arguments.ts';
import { defineTool } from './tool.ts';

export const requestPermissions = defineTool({
  name: 'request_permissions',
  description,
  parameters: z.object({
    reason: reason.describe('For the people: what it is for, in one sentence.'),
    permissions: permissionProfile.describe('What is wanted.'),
  }),
  shows: 'toolCall',
  async run({ reason: why, permissions }, context) {
    try {
      const grants = await resolveGrants(grantsOf(permissions), context.cwd, context.holding.never);
      if (isNothing(grants)) return failed('it asks for nothing: name the network or paths');
      if (context.holding.confinement({}) === null)
        return failed('nothing confines commands in this session, so there is nothing to allow them');
      const sandbox = context.holding.confinement({})?.mode;
      const permit = await permission(
        { what: 'permissions', grants },
        {
          what: 'permissions',
          cwd: context.cwd,
          grants,
          ...(why ? { reason: why } : {}),
          ...(sandbox ? { sandbox } : {}),
        },
        context,
      );
      if (!permit.granted) return { output: permit.message, success: false };
      return { output: `Allowed: ${JSON.stringify(grants)}`, success: true };
    } catch (error) {
      if (error instanceof Failure) return failed(error.message);
      throw error;
    }
  },
});

function failed(why: string) {
  return { output: `request_permissions: ${why}`, success: false };
}
