import type { Writable } from 'node:stream';

/** How long a process that was told to end waits for one that does not read. */
const PATIENCE_MS = 5_000;

/**
 * Resolves once all that was written is taken: a pipe takes it later on. Whoever reads may take its time, until
 * `stopped`.
 */
export async function flushed(
  streams: readonly Writable[],
  stopped: AbortSignal,
  patience = PATIENCE_MS,
): Promise<void> {
  const written = streams.map((stream) => new Promise<void>((resolve) => stream.write('', () => resolve())));
  let timer: NodeJS.Timeout | undefined;
  const outOfPatience = new Promise<void>((resolve) => {
    const wait = () => {
      timer = setTimeout(resolve, patience);
    };
    if (stopped.aborted) wait();
    else stopped.addEventListener('abort', wait, { once: true });
  });
  await Promise.race([Promise.all(written), outOfPatience]);
  clearTimeout(timer);
}
