import { useSyncExternalStore } from 'react';

/** Whether the page is in view rather than in a background tab. */
export function useVisible(): boolean {
  return useSyncExternalStore(subscribe, () => !document.hidden);
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}
