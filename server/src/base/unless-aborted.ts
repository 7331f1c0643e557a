/** As `awaited`, unless the signal is aborted before: rejects with its reason then. What is awaited goes on. */
export async function unlessAborted<T>(awaited: Promise<T>, signal: AbortSignal): Promise<T> {
  awaited.catch(() => undefined); // nobody waits for it any more where the signal was first
  signal.throwIfAborted();
  const over = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal });
  });
  return Promise.race([awaited, aborted]).finally(() => over.abort());
}
