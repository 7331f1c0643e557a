import { useSyncExternalStore } from 'react';

/** Whoever leaves the window out of a frame in it, as the board is, leaves without an event. */
const LOOK_AGAIN_MS = 1_000;

/** Whether the page is in view rather than in a background tab. */
export function useVisible(): boolean {
  return useSyncExternalStore(subscribe, () => !document.hidden);
}

/** Whether somebody is at the page: a window that is on show behind the one they use is not looked at. */
export function useAttended(): boolean {
  return useSyncExternalStore(subscribeToFocus, () => !document.hidden && document.hasFocus());
}

function subscribeToFocus(onChange: () => void): () => void {
  const stop = subscribe(onChange);
  addEventListener('focus', onChange);
  addEventListener('blur', onChange);
  const timer = setInterval(onChange, LOOK_AGAIN_MS);
  return () => {
    stop();
    clearInterval(timer);
    removeEventListener('focus', onChange);
    removeEventListener('blur', onChange);
  };
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}
