import type { Messages } from '../messages/messages.ts';

export const boardMessages = {
  'board.title': 'Board',
  'board.reload': 'Reload the board',
  'board.loading': 'New version of the board',
  'board.popOut': 'Open the board in a window of its own',
  'board.width': 'Width of the board',
  'board.share': { one: '{count} percent of the window', other: '{count} percent of the window' },
  'board.widthHint': 'Drag to resize, double click for the usual width',
  'board.hide': 'Hide the board',
  'board.empty': 'No board yet',
  'board.emptyText':
    'A board is a page that the agent writes and keeps up to date while it works: where things stand, results, charts, what is blocked. Everybody who opens this workspace sees it.',
  'board.ask': 'Ask the agent for a board',
  'board.askHint': 'Puts a message into the box. Change it as you like; you send it.',
  'board.suggestion':
    'Make a board for this workspace: what it is about, where the work stands, what is done and what comes next. Keep it up to date from now on.',
} as const satisfies Messages;
