import type { Messages } from '../messages/messages.ts';

export const workspacesMessages = {
  'workspaces.title': 'Workspaces',
  'workspaces.sessions': { one: '{count} session', other: '{count} sessions' },
  'workspaces.noSessions': 'No session yet',
  'workspaces.running': '{count} running',
  'workspaces.waiting': { one: '{count} waits for you', other: '{count} wait for you' },
  'workspaces.broken': 'Cannot be used',
  'workspaces.fileBroken':
    'workspaces.json cannot be read. The list stays as it was, and cannot be changed until the file is corrected.',
  'workspaces.configBroken':
    'Something in the configuration is wrong. A file that cannot be read holds as it was until it is corrected.',
  'workspaces.configNotices': {
    one: '{count} note on the configuration',
    other: '{count} notes on the configuration',
  },
  'workspaces.noBoard': 'No board yet',
  'workspaces.empty': 'No workspace yet',
  'workspaces.emptyText':
    'A workspace is a directory, its sessions and a board. Add one, or name it in workspaces.json.',

  'workspaces.add': 'Add a workspace',
  'workspaces.addTitle': 'Add a workspace',
  'workspaces.addConfirm': 'Add',
  'workspaces.adding': 'Adding…',
  'workspaces.added': '{name} was added.',
  'workspaces.name': 'Name',
  'workspaces.dir': 'Directory',
  'workspaces.dirDefault': 'The one that workspaces.json is in',
  'workspaces.dirHint': 'Its agents work here. It is created if it does not exist.',
  'workspaces.dirs': 'Directories',
  'workspaces.board': 'Board',
  'workspaces.boardDefault': '.tscodex/{id}.html in the directory',
  'workspaces.boardHint': 'The HTML file that its agents keep up to date.',
  'workspaces.nameTooLong': {
    one: 'A name has at most {count} character.',
    other: 'A name has at most {count} characters.',
  },

  'workspaces.menu': 'More about {name}',
  'workspaces.edit': 'Edit…',
  'workspaces.editTitle': 'Edit {name}',
  'workspaces.save': 'Save',
  'workspaces.saveMine': 'Save mine',
  'workspaces.saving': 'Saving…',
  'workspaces.saved': '{name} was saved.',
  'workspaces.theirs': 'Meanwhile somebody changed it to',
  'workspaces.useTheirs': 'Use that',
  'workspaces.changed':
    'Somebody has changed this workspace meanwhile. What is marked differs; save again to put yours in its place.',
  'workspaces.gone':
    'Somebody has removed this workspace meanwhile. What you have here can be added as a new one.',
  'workspaces.addAgain': 'Add it again',

  'workspaces.remove': 'Remove…',
  'workspaces.removeTitle': 'Remove {name}?',
  'workspaces.removeText': 'It leaves the list. Its files stay where they are, and so do the conversations.',
  'workspaces.removeRunning': {
    one: '{count} session works or waits right now. What it runs is ended.',
    other: '{count} sessions work or wait right now. What they run is ended.',
  },
  'workspaces.removeConfirm': 'Remove',
  'workspaces.removing': 'Removing…',
  'workspaces.removed': '{name} was removed.',
  'workspaces.createDir': 'Create the directory',
  'workspaces.fix': 'Edit',

  'workspaces.move': 'Move {name}',
  'workspaces.moveHint': 'Drag it, or press the arrow keys',
  'workspaces.moveUp': 'Move up',
  'workspaces.moveDown': 'Move down',
  'workspaces.moved': '{name} is now {position} of {count}.',
  'workspaces.notMoved': 'Not moved. {reason}',
} as const satisfies Messages;
