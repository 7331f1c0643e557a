import type { SessionState } from '@tscodex/shared/session-state';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { ApiProblem } from '../api/http.ts';
import type { SessionActions } from '../state/actions.ts';
import type { Message, Outbox, Outgoing } from './outbox.ts';

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
    /**
     * Takes a message out and gives it back, after making sure that the server does not keep it as well; null
     * when the agent has it. Throws when the server cannot be asked.
     */
    take: async (id: string): Promise<Message | null> => {
      const entry = entries.find(({ message }) => message.id === id);
      if (!entry) return null;
      const withdrawn = entry.mayHaveArrived && (await withdraw(id, actions));
      const isHere = outbox.entries.getState().some(({ message }) => message.id === id);
      outbox.remove(id);
      return withdrawn || isHere ? entry.message : null;
    },
  };
}

const none: readonly Outgoing[] = [];

/** False when the message does not wait at the server: it never came there, or the agent has it. */
async function withdraw(id: string, actions: SessionActions): Promise<boolean> {
  try {
    await actions.withdrawInput(id);
    return true;
  } catch (problem) {
    if (problem instanceof ApiProblem && problem.status === 404) return false;
    throw problem;
  }
}

function has(id: string, waiting: SessionState['waiting'], items: SessionState['items']): boolean {
  return (
    waiting.some((input) => input.id === id) ||
    items.some((item) => item.type === 'userMessage' && item.inputId === id)
  );
}
