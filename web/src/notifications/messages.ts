import type { Messages } from '../messages/messages.ts';

export const notificationsMessages = {
  'notifications.title': 'Notifications',
  'notifications.open': 'Notifications',
  'notifications.openOff': 'Notifications are off',
  'notifications.on': 'Show notifications on this device',
  'notifications.when': 'When a session',
  'notifications.waiting': 'waits for an answer or an approval',
  'notifications.done': 'is done',
  'notifications.failed': 'has failed',
  'notifications.perSession':
    'A single session is muted in its own menu. The tab shows what waits in its title and icon, whatever is chosen here.',
  'notifications.ask': 'The browser will ask whether this page may show them.',
  'notifications.denied':
    'This browser blocks notifications from this page. Allow them in its settings for this site (the icon beside the address), then switch them on here.',
  'notifications.insecure':
    'Browsers show notifications only for pages from https:// or from the same machine. Whoever runs this server can put it behind HTTPS.',
  'notifications.missing': 'This browser shows no notifications for pages.',
  'notifications.sample': 'This is how it will look.',

  'notifications.body': '{what} · {workspace}',
  'notifications.saysDone': 'Done',
  'notifications.saysFailed': 'Failed',
  'notifications.saysQuestion': 'Has a question for you',
  'notifications.saysApproval': 'Waits for your approval',
  'notifications.several': '{count} new things in your sessions',
} as const satisfies Messages;
