import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { type SettingsStore, withMuted } from './settings.ts';

export const NotificationsContext = createContext<SettingsStore | null>(null);

export function useNotificationSettings(): SettingsStore {
  const store = useContext(NotificationsContext);
  if (!store) throw new Error('no notifications around this component');
  return store;
}

/** Whether a session is not told of, and how to change that. */
export function useMutedSession(session: string): [boolean, (muted: boolean) => void] {
  const store = useNotificationSettings();
  const muted = useStore(store, (settings) => settings.muted.includes(session));
  return [muted, (next) => store.setState((settings) => withMuted(settings, session, next))];
}
