import type { Messages } from '../messages/messages.ts';

export const conversationMessages = {} as const satisfies Messages;
