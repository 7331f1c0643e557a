import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useServices } from '../state/services.ts';
import { type Waiting, waitingIn } from './waiting.ts';

const NOTHING: readonly Waiting[] = [];

/** What waits for a person right now; nothing until that is known. */
export function useWaiting(): readonly Waiting[] {
  const { overview } = useServices();
  const { workspaces } = useStore(overview);
  return useMemo(() => (workspaces ? waitingIn(workspaces) : NOTHING), [workspaces]);
}
