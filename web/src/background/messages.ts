import type { Messages } from '../messages/messages.ts';

export const backgroundMessages = {
  'background.title': 'In the background',
  'background.chip': { one: '{count} running', other: '{count} running' },
  'background.open': {
    one: '{count} command runs in the background',
    other: '{count} commands run in the background',
  },
  'background.wakes': 'Wakes the agent every {minutes} min',
  'background.everyMinute': 'Wakes the agent every minute',
  'background.everyHours': {
    one: 'Wakes the agent every hour',
    other: 'Wakes the agent every {count} hours',
  },
  'background.everyDays': { one: 'Wakes the agent every day', other: 'Wakes the agent every {count} days' },
  'background.next': 'next {time}',
  'background.about': 'Runs until you stop it or close the session.',
  'background.since': 'since {time}',
  'background.stop': 'Stop',
  'background.stopCommand': 'Stop: {command}',
  'background.stopClock': 'Stop the clock',
  'background.stopping': 'Stopping…',
  'background.notStopped': 'Not stopped. {reason}',
} as const satisfies Messages;
