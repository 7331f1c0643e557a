import type { Messages } from '../messages/messages.ts';

export const sessionsMessages = {
  'sessions.title': 'Sessions',
  'sessions.new': 'New session',
} as const satisfies Messages;
