import type { Messages } from '../messages/messages.ts';

export const workspacesMessages = {
  'workspaces.title': 'Workspaces',
  'workspaces.sessions': { one: '{count} session', other: '{count} sessions' },
  'workspaces.running': '{count} running',
  'workspaces.asking': { one: '{count} waits for you', other: '{count} wait for you' },
  'workspaces.broken': 'Cannot be used',
  'workspaces.empty': 'No workspace yet',
  'workspaces.emptyText':
    'A workspace is a directory, its sessions and a board. Name one in workspaces.json and it appears here.',
} as const satisfies Messages;
