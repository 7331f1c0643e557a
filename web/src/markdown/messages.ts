import type { Messages } from '../messages/messages.ts';

export const markdownMessages = {} as const satisfies Messages;
