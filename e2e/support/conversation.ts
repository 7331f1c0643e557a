/** What a session's state says, in the words of a test. */
import type { Notice } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import type { ModelRequest } from './fake-model.ts';

/** Texts of the people's messages, in order. */
export function said({ items }: SessionState): string[] {
  return items.flatMap((item) => (item.type === 'userMessage' ? [item.text] : []));
}

/** Texts of the agent's whole messages, in order. */
export function answered({ items }: SessionState): string[] {
  return items.flatMap((item) =>
    item.type === 'agentMessage' && item.status === 'completed' ? [item.text] : [],
  );
}

export function notices({ items }: SessionState): Notice[] {
  return items.filter((item): item is Notice => item.type === 'notice');
}

/** What the model was told of its latest call. */
export function lastOutput(request: ModelRequest | undefined): string {
  return String(request?.input.findLast((item) => String(item.type).endsWith('_output'))?.output);
}
