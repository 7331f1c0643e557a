/** Told when a session is loaded whose commands could not start, before the agent has tried one after the other. */
import type { Notice } from '@tscodex/shared/items';
import { v5 as uuidFrom } from 'uuid';
import { notice } from './notice.ts';
import type { SessionPermissions } from './session-permissions.ts';

/** null where nothing is in the way. Not recorded: it says how things are, each time they are so. */
export function obstacleNotice(
  session: string,
  { obstacle }: Pick<SessionPermissions, 'obstacle'>,
): Notice | null {
  if (obstacle === null) return null;
  const { message, details } = obstacle;
  const text = `Commands of this session cannot start: ${message}.`;
  const about = { details: { ...details, reason: message } };
  return { ...notice('warning', 'permissions.obstacle', text, about), id: uuidFrom('obstacle', session) };
}
