import type { SessionState } from '@tscodex/shared/session-state';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { Outbox, Outgoing } from './outbox.ts';

/** What is still on its way. What the session already shows has arrived, whatever became of the answer. */
export function useOutgoing(outbox: Outbox, state: SessionState): readonly Outgoing[] {
  const entries = useStore(outbox.entries);
  const { waiting, items } = state;
  const arrived =
    entries.length === 0 ? none : entries.filter(({ message }) => has(message.id, waiting, items));
  useEffect(() => {
    for (const { message } of arrived) outbox.remove(message.id);
  });
  return arrived.length === 0 ? entries : entries.filter((entry) => !arrived.includes(entry));
}

const none: readonly Outgoing[] = [];

function has(id: string, waiting: SessionState['waiting'], items: SessionState['items']): boolean {
  return (
    waiting.some((input) => input.id === id) ||
    items.some((item) => item.type === 'userMessage' && item.inputId === id)
  );
}
