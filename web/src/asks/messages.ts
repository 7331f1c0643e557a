import type { Messages } from '../messages/messages.ts';

export const asksMessages = {
  'asks.question': 'Question',
  'asks.approval': 'Approval',
  'asks.questionOpened': 'The agent asks: {question}',
  'asks.approvalOpened': 'The agent asks for approval: {what}',

  'asks.runCommand': 'Run this command?',
  'asks.applyPatch': { one: 'Change this file?', other: 'Change {count} files?' },
  'asks.permissions': 'Grant more permissions?',
  'asks.mcp': 'Let this tool run?',
  'asks.notConfined': 'Not confined',
  'asks.notConfinedHint': 'Nothing holds this command in: it can do whatever your account can.',
  'asks.in': 'in {cwd}',

  'asks.once': 'Allow once',
  'asks.session': 'Allow for this session',
  'asks.scope.command': 'For this session: exactly this command in this directory, and no other',
  'asks.scope.patch': 'For this session: every change of these files, and of no others',
  'asks.decline': 'Decline',
  'asks.declineWithReason': 'Decline and say why…',
  'asks.reason': 'Why, and what to do instead',
  'asks.sendReason': 'Decline with this reason',

  'asks.other': 'Something else',
  'asks.otherText': 'Your own answer to: {question}',
  'asks.ownAnswer': 'Your answer',
  'asks.submit': 'Submit',
  'asks.answering': 'Answering…',
  'asks.place': '{at} of {of}',
  'asks.expires': 'until {time}',
  'asks.dismiss': 'Dismiss',
  'asks.failed': 'Not answered: {reason}',
} as const satisfies Messages;
