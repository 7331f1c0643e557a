/**
 * Fetches the dialogs that are fetched late once the page is at rest: what is typed the moment one is opened is meant
 * for it.
 */

/** For browsers that do not tell when they are idle. */
const AT_REST_MS = 2_000;

export function fetchAhead(): void {
  if (document.readyState === 'complete') whenIdle(fetchDialogs);
  else addEventListener('load', () => whenIdle(fetchDialogs), { once: true });
}

function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work);
  else setTimeout(work, AT_REST_MS);
}

function fetchDialogs(): void {
  void Promise.allSettled([
    import('../catalog/all-sessions.tsx'),
    import('../composer/model-dialog.tsx'),
    import('../rules/rules-dialog.tsx'),
    import('../sessions/directory-dialog.tsx'),
    import('../sessions/new-session-dialog.tsx'),
  ]); // one that fails is asked for again when it is opened, which says so
}
