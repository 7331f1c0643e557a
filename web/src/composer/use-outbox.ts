import type { SessionState } from '@tscodex/shared/session-state';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { SessionActions } from '../state/actions.ts';
import type { Outbox, Outgoing } from './outbox.ts';

/** What is still on its way. What the session already shows has arrived, whatever became of the answer. */
export function useOutbox(outbox: Outbox, state: SessionState, actions: SessionActions) {
  const entries = useStore(outbox.entries);
  const { waiting, items } = state;
  const arrived =
    entries.length === 0 ? none : entries.filter(({ message }) => has(message.id, waiting, items));
  useEffect(() => {
    for (const { message } of arrived) outbox.remove(message.id);
  });
  return {
    outgoing: arrived.length === 0 ? entries : entries.filter((entry) => !arrived.includes(entry)),
    retry: (id: string) => outbox.retry(id, actions.send),
    /** Takes a message out and gives its text back. */
    take: (id: string): string => {
      const entry = entries.find(({ message }) => message.id === id);
      outbox.remove(id);
      return entry?.message.text ?? '';
    },
  };
}

const none: readonly Outgoing[] = [];

function has(id: string, waiting: SessionState['waiting'], items: SessionState['items']): boolean {
  return (
    waiting.some((input) => input.id === id) ||
    items.some((item) => item.type === 'userMessage' && item.inputId === id)
  );
}
