import type { Messages } from '../messages/messages.ts';

export const inboxMessages = {
  'inbox.title': 'Inbox',
  'inbox.key': 'Alt I',
  'inbox.open': 'Inbox (Alt I)',
  'inbox.openWaiting': {
    one: 'Inbox: {count} waits for you (Alt I)',
    other: 'Inbox: {count} wait for you (Alt I)',
  },
  'inbox.waiting': { one: 'Inbox: {count} waits for you', other: 'Inbox: {count} wait for you' },
  'inbox.close': 'Close the inbox',
  'inbox.section': 'Waiting for you',
  'inbox.empty': 'Nothing waits for you',
  'inbox.emptyText': 'Questions and approvals of all workspaces come together here.',

  'inbox.command': 'Run this command?',
  'inbox.patch': 'Change these files?',
  'inbox.permissions': 'Grant more permissions?',
  'inbox.mcp': 'Let this tool run?',
  'inbox.question': 'Question',
  'inbox.paused': 'Paused',
  'inbox.pausedText': 'Nothing more is started there until you resume it. The session says why.',
  'inbox.outside': 'outside of where it may write:',
  'inbox.alsoMay': 'may {words}',
  'inbox.cut': 'Open the session to see all of it and decide',

  'inbox.view': 'Open',
  'inbox.viewSession': 'Open {session}',
  'inbox.allowIn': 'Allow once: {command}',
  'inbox.declineIn': 'Decline: {command}',
  'inbox.allowed': 'You allowed it',
  'inbox.declined': 'You declined it',
  'inbox.gone': 'No longer waits',
  'inbox.failed': 'Not decided. {reason}',

  'inbox.newCommand': '{workspace} asks for approval: {text}',
  'inbox.newQuestion': '{workspace} asks: {text}',
  'inbox.newPaused': '{workspace}: {session} is paused',
  'inbox.newMany': { one: '{count} more waits for you', other: '{count} more wait for you' },
} as const satisfies Messages;
