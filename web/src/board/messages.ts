import type { Messages } from '../messages/messages.ts';

export const boardMessages = {
  'board.title': 'Board',
  'board.reload': 'Reload the board',
  'board.loading': 'New version of the board',
  'board.empty': 'No board yet',
  'board.emptyText':
    'The agent keeps a page of results here as it works. Ask it to put something on the board.',
} as const satisfies Messages;
