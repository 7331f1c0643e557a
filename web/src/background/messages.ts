import type { Messages } from '../messages/messages.ts';

export const backgroundMessages = {
  'background.title': 'In the background',
  'background.chip': { one: '{count} running', other: '{count} running' },
  'background.open': {
    one: '{count} command runs in the background',
    other: '{count} commands run in the background',
  },
  'background.about': 'They outlived their turn, and end when you stop them or close the session.',
  'background.since': 'since {time}',
  'background.stop': 'Stop',
  'background.stopCommand': 'Stop: {command}',
  'background.stopping': 'Stopping…',
  'background.notStopped': 'Not stopped. {reason}',
} as const satisfies Messages;
