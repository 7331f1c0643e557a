/**
 * What somebody was sent to a session for, from the click elsewhere until it is in view there. The address does not
 * say it: coming back to it later, one looks at the session again and not at an ask that is long gone.
 */
import { createContext, useContext } from 'react';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** `session`: the one that asks, be it that of an agent in another one's page. `ask`: null where it is the session itself. */
export type Aim = { session: string; ask: string | null };
export type AimStore = StoreApi<{ aim: Aim | null }>;

export function aimStore(): AimStore {
  return createStore(() => ({ aim: null }));
}

export const AimContext = createContext<AimStore | null>(null);

export function useAimStore(): AimStore {
  const store = useContext(AimContext);
  if (!store) throw new Error('no aim around this component');
  return store;
}
