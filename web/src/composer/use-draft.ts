import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { Draft, Drafted } from './draft.ts';

/** A draft as it is now. What typing has not paused for yet is written before the page or the view goes away. */
export function useDraft(draft: Draft): Drafted {
  useEffect(() => {
    const write = () => draft.write();
    window.addEventListener('pagehide', write);
    return () => {
      window.removeEventListener('pagehide', write);
      write();
    };
  }, [draft]);
  return useStore(draft.state);
}
