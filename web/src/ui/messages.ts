import type { Messages } from '../messages/messages.ts';

export const uiMessages = {
  'ui.reload': 'Reload the page',
  'ui.crash': 'The page ran into an error and stopped here. Your sessions go on; nothing sent is lost.',
  'ui.cancel': 'Cancel',
  'ui.close': 'Close',
  'ui.loading': 'Loading…',
  'ui.now': 'now',
} as const satisfies Messages;
