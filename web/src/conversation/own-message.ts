/**
 * The composer tells the conversation that a message left it, so that the end comes into view (O-F8): they
 * stand beside each other in the page and share nothing but the document.
 */
const NAME = 'tscodex:own-message';

export function announceOwnMessage(sessionId: string): void {
  document.dispatchEvent(new CustomEvent(NAME, { detail: sessionId }));
}

/** Calls `listener` for every message sent to the session from this page, until the returned function is. */
export function onOwnMessage(sessionId: string, listener: () => void): () => void {
  const heard = (event: Event) => {
    if ((event as CustomEvent).detail === sessionId) listener();
  };
  document.addEventListener(NAME, heard);
  return () => document.removeEventListener(NAME, heard);
}
