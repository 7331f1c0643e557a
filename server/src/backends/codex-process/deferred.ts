/** A promise that is settled from elsewhere. */
export type Deferred<T> = {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
};

export function deferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> | null = null;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...(settle as unknown as Omit<Deferred<T>, 'promise'>) };
}

/** What is awaited goes on where nobody waits for it any more. */
export async function unlessAborted(awaited: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const aborted = deferred<void>();
  const abort = () => aborted.resolve();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  await Promise.race([awaited, aborted.promise]).finally(() => signal.removeEventListener('abort', abort));
}
