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

  'ui.edited': 'Edited',
  'ui.added': 'Added',
  'ui.deleted': 'Deleted',
  'ui.moved': 'Moved',
  'ui.edit': 'Edit',
  'ui.add': 'Add',
  'ui.delete': 'Delete',
  'ui.move': 'Move',
  'ui.movedTo': '{from} → {to}',
  'ui.linesAdded': { one: '{count} line added', other: '{count} lines added' },
  'ui.linesRemoved': { one: '{count} line removed', other: '{count} lines removed' },
  'ui.showLines': { one: 'Show {count} more line', other: 'Show {count} more lines' },
  'ui.noChanges': 'No changed lines',
  'ui.diffOf': 'Changes of {path}',
} as const satisfies Messages;
