/** How long a tool call waits for a command. */
import type { RunningProcess } from '../exec/running-process.ts';
import type { ToolContext } from './tool.ts';

/**
 * Resolves when the command has ended, after `ms`, or, with `steer`, as soon as one waits. Rejects with the
 * signal's reason.
 */
export async function waitForProcess(
  process: RunningProcess,
  ms: number,
  { signal }: Pick<ToolContext, 'signal'>,
  steer?: Pick<ToolContext, 'steerWaiting' | 'onSteer'>,
): Promise<void> {
  signal.throwIfAborted();
  if (steer?.steerWaiting()) return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(end, ms);
    const off = steer?.onSteer(end);
    signal.addEventListener('abort', end);
    void process.exited.then(end);
    function end() {
      clearTimeout(timer);
      off?.();
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    }
  });
}

/** A wait as the model wants it, held to what is allowed. */
export function clampWait(
  wanted: number | undefined,
  { usual, least, most }: { usual: number; least: number; most: number },
): number {
  return Math.min(Math.max(wanted ?? usual, least), most);
}
