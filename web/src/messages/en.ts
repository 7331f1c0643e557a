/** The English table: every feature's own, put together. */
import { agentsMessages } from '../agents/messages.ts';
import { apiMessages } from '../api/messages.ts';
import { asksMessages } from '../asks/messages.ts';
import { backgroundMessages } from '../background/messages.ts';
import { boardMessages } from '../board/messages.ts';
import { catalogMessages } from '../catalog/messages.ts';
import { composerMessages } from '../composer/messages.ts';
import { conversationMessages } from '../conversation/messages.ts';
import { imagesMessages } from '../images/messages.ts';
import { inboxMessages } from '../inbox/messages.ts';
import { markdownMessages } from '../markdown/messages.ts';
import { notificationsMessages } from '../notifications/messages.ts';
import { pagesMessages } from '../pages/messages.ts';
import { peopleMessages } from '../people/messages.ts';
import { permissionsMessages } from '../permissions/messages.ts';
import { rulesMessages } from '../rules/messages.ts';
import { sessionsMessages } from '../sessions/messages.ts';
import { uiMessages } from '../ui/messages.ts';
import { usageMessages } from '../usage/messages.ts';
import { workspacesMessages } from '../workspaces/messages.ts';

export const en = {
  ...agentsMessages,
  ...apiMessages,
  ...asksMessages,
  ...backgroundMessages,
  ...boardMessages,
  ...catalogMessages,
  ...composerMessages,
  ...conversationMessages,
  ...imagesMessages,
  ...inboxMessages,
  ...markdownMessages,
  ...notificationsMessages,
  ...pagesMessages,
  ...peopleMessages,
  ...permissionsMessages,
  ...rulesMessages,
  ...sessionsMessages,
  ...uiMessages,
  ...usageMessages,
  ...workspacesMessages,
} as const;
