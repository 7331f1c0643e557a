import type { Messages } from '../messages/messages.ts';

export const asksMessages = {} as const satisfies Messages;
