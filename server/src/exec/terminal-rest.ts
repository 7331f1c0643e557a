/** The last output of a terminal, which Node alone would lose. */
import { readSync } from 'node:fs';
import type { IPty } from '@lydell/node-pty';

const READ_BYTES = 64 * 1024;

/**
 * A terminal hands out 4 KiB at the most, but once its last program has ended libuv takes any read that does not
 * fill its buffer for the last one: up to 64 KiB would be lost. So when the end is told, and the descriptor is still
 * open, this reads what is left. `data` is called before the terminal's exit is told.
 */
export function readRest(terminal: IPty, data: (chunk: Buffer) => void): void {
  // both are there on all systems with descriptors; the types leave them out
  const { fd, on } = terminal as unknown as { fd: number; on(event: 'end', listener: () => void): void };
  on.call(terminal, 'end', () => {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    try {
      for (let length = readSync(fd, buffer); length > 0; length = readSync(fd, buffer))
        data(buffer.subarray(0, length));
    } catch {
      // EIO says that all was read
    }
  });
}
