import type { Messages } from '../messages/messages.ts';

export const pagesMessages = {
  'pages.product': 'tscodex',
  'pages.title': '{page} · tscodex',
  'pages.sessionTitle': '{session} · {workspace}',
  'pages.notFound': 'Nothing here',
  'pages.notFoundText': 'There is no such page. A link may be old, or cut off.',
  'pages.noWorkspace': 'There is no workspace “{id}” here. It may have been removed or renamed.',
  'pages.toWorkspaces': 'All workspaces',
  'pages.logOut': 'Log out',
  'pages.notLoggedOut': 'Still logged in. {reason}',
  'pages.panes': 'Panes',
  'pages.chat': 'Chat',
  'pages.workspace': 'Workspace',
  'pages.showBoard': 'Show the board',
  'pages.showChat': 'Show the conversation',
  'pages.dismiss': 'Dismiss',
  'pages.lost': 'Connection lost. Trying again; what you write is kept.',

  'login.title': 'Log in',
  'login.password': 'Password',
  'login.hint': 'The password of this server, or the token from its start-up line.',
  'login.submit': 'Log in',
  'login.working': 'Logging in…',
  'login.wrong': 'That is not the password. Check the keyboard layout and try again.',
  'login.wrongToken':
    'The link’s token is not valid (any more). Use the one from the last start of the server.',
  'login.wait': {
    one: 'Too many attempts. Try again in {count} second.',
    other: 'Too many attempts. Try again in {count} seconds.',
  },
} as const satisfies Messages;
