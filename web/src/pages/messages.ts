import type { Messages } from '../messages/messages.ts';

export const pagesMessages = {
  'pages.product': 'tscodex',
  'pages.title': '{page} · tscodex',
  'pages.notFound': 'There is no such page.',
  'pages.toWorkspaces': 'All workspaces',

  'login.title': 'Log in',
  'login.password': 'Password',
  'login.hint': 'The password of this server, or the token from its start-up line.',
  'login.submit': 'Log in',
  'login.working': 'Logging in…',
  'login.wrong': 'That is not the password. Check for a different keyboard layout, then try again.',
  'login.wait': {
    one: 'Too many attempts. Try again in {count} second.',
    other: 'Too many attempts. Try again in {count} seconds.',
  },
} as const satisfies Messages;
