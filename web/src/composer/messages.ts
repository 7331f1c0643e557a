import type { Messages } from '../messages/messages.ts';

export const composerMessages = {} as const satisfies Messages;
