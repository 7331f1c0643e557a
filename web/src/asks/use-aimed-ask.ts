import type { SessionState } from '@tscodex/shared/session-state';
import { type RefObject, useEffect } from 'react';
import { useStore } from 'zustand';
import { useAimStore } from '../state/aim.ts';

/** Brings the ask that somebody came for into view and gives it the focus. `asks`: around the forms. */
export function useAimedAsk(state: SessionState | null, asks: RefObject<HTMLElement | null>): void {
  const store = useAimStore();
  const { aim } = useStore(store);
  useEffect(() => {
    if (!state || aim?.session !== state.id) return;
    store.setState({ aim: null });
    if (aim.ask === null) return;
    const form = asks.current?.querySelector<HTMLElement>(`[data-ask="${CSS.escape(aim.ask)}"]`);
    form?.scrollIntoView({ block: 'nearest' });
    form?.focus({ preventScroll: true });
  }, [store, aim, state, asks]);
}
