/**
 * What everything with an effect goes through: the policy decides, a person is asked where it says so, and the
 * call is saved as begun.
 */
import type { Approval } from '@tscodex/shared/asks';
import type { ToolContext } from './tool.ts';

/** What the model wants to do, in the words of `approvals/decide`. */
export type Action = { what: 'command'; command: string; cwd: string } | { what: 'patch'; paths: string[] };

/** `message` is for the model. */
export type Permission = { granted: true } | { granted: false; message: string };

/**
 * Asks for permission. When it is granted the call has been saved as begun and the caller acts at once.
 * Rejects with the signal's reason when the turn is interrupted meanwhile.
 */
export declare function permission(
  action: Action,
  approval: Approval,
  context: ToolContext,
): Promise<Permission>;
