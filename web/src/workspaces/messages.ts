import type { Messages } from '../messages/messages.ts';

export const workspacesMessages = {
  'workspaces.title': 'Workspaces',
  'workspaces.sessions': { one: '{count} session', other: '{count} sessions' },
  'workspaces.running': '{count} running',
  'workspaces.asking': { one: '{count} waits for you', other: '{count} wait for you' },
} as const satisfies Messages;
