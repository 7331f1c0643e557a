import type { Messages } from '../messages/messages.ts';

export const apiMessages = {
  'api.unreachable': 'The server cannot be reached. Check that it runs and that this device is connected.',
  'api.unreadable': 'The server answered {status} with something that is not its own. Is a proxy in between?',
  'api.refused':
    'The server answers, but refuses the live connection. A proxy may drop WebSockets or the Host header.',
} as const satisfies Messages;
