import type { Messages } from '../messages/messages.ts';

export const boardMessages = {
  'board.title': 'Board',
  'board.reload': 'Reload the board',
} as const satisfies Messages;
