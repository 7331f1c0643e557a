import type { Messages } from '../messages/messages.ts';

export const uiMessages = {
  'ui.reload': 'Reload the page',
  'ui.crash': 'This part of the page has failed. Your sessions go on, and nothing sent is lost.',
  'ui.cancel': 'Cancel',
  'ui.tryAgain': 'Try again',
  'ui.loading': 'Loading…',
  'ui.now': 'now',
  'ui.minutes': '{count} min',
  'ui.hours': '{count} h',
  'ui.days': '{count} d',
} as const satisfies Messages;
