/** An ask as it stands in a session whose commands are confined, or are not. Pure. */
import type { Ask } from '@tscodex/shared/asks';

/**
 * Where nothing confines commands there is nothing that one could be allowed beyond: it is not confined, whatever it
 * asked for.
 */
export function asHeld(ask: Ask, confined: boolean): Ask {
  const { approval } = ask;
  if (confined || !approval?.grants || approval.what === 'permissions') return ask;
  const { grants: _, ...rest } = approval;
  return { ...ask, approval: { ...rest, sandbox: 'none' } };
}
