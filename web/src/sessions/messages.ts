import type { Messages } from '../messages/messages.ts';

export const sessionsMessages = {
  'sessions.title': 'Sessions',
  'sessions.new': 'New session',
  'sessions.newWith': 'Choose a model',
  'sessions.key': 'Alt N',
  'sessions.demo': 'Demo model, no AI',
  'sessions.untitled': 'Untitled session',
  'sessions.notCreated': 'No session was created. {reason}',

  'sessions.running': 'running',
  'sessions.stopping': 'stopping',
  'sessions.asking': 'waits for you',
  'sessions.asks': 'asks',
  'sessions.paused': 'paused',
  'sessions.unread': 'new',
  'sessions.broken': 'cannot be loaded',

  'sessions.close': 'Close this session',
  'sessions.closeTitle': 'Close the session while it works?',
  'sessions.closeText': 'What it runs is stopped. The conversation stays on disk.',
  'sessions.closeConfirm': 'Stop and close',
  'sessions.closeFailed': 'Not closed. {reason}',

  'sessions.confined': 'Commands are confined by the operating system: {mode}',
  'sessions.notConfined': 'not confined',
  'sessions.notConfinedText': 'No sandbox holds commands in. Every command and patch asks first.',
  'sessions.dangerous':
    'Commands run without asking and without confinement: approval_policy is “never”, sandbox_mode is “danger-full-access”.',
  'sessions.failed': 'This session cannot be followed',
} as const satisfies Messages;
