/** The last output of a terminal, which node-pty alone would lose. */
import { readSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { IPty } from '@lydell/node-pty';
import { isGone } from './process-list.ts';

const READ_BYTES = 64 * 1024;
/** More than a terminal holds; what goes on writing to it must not hold the server. */
const MOST_READS = 32;

/** A program that has let go of its terminal and is not about to end may lose it. */
const LONGEST_END_MS = 500;
const FIRST_LOOK_MS = 1;

/** What node-pty keeps to itself. */
export type PtyInside = { fd: number; _socket: { destroyed: boolean; destroy(error?: Error): unknown } };

/**
 * A terminal hands out 4 KiB at the most, but once its last program has ended libuv takes any read that does not
 * fill its buffer for the last one; and 200 ms after the program's end node-pty closes whatever is left. Either way
 * up to 64 KiB would be lost on a busy machine. So right before the descriptor is closed this reads what is there.
 * `data` is called before the terminal's exit is told.
 */
export function readRest(terminal: IPty, data: (chunk: Buffer) => void): void {
  const { fd, _socket: socket } = terminal as unknown as PtyInside;
  const destroy = socket.destroy.bind(socket);
  let closing = false;
  socket.destroy = (error) => {
    if (!closing) void close(error);
    return socket;
  };
  async function close(error: Error | undefined): Promise<void> {
    closing = true;
    // a program lets go of its terminal a moment before it ends: closed in between, its end would be a hang-up
    if (!isGone(terminal.pid)) await endOf(terminal.pid);
    socket.destroy = destroy;
    drain(fd, data);
    destroy(error);
  }
}

async function endOf(pid: number): Promise<void> {
  const until = Date.now() + LONGEST_END_MS;
  for (let wait = FIRST_LOOK_MS; !isGone(pid) && Date.now() < until; wait *= 2) await delay(wait);
}

function drain(fd: number, data: (chunk: Buffer) => void): void {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  try {
    for (let reads = 0; reads < MOST_READS; reads++) {
      const length = readSync(fd, buffer);
      if (length === 0) return;
      data(buffer.subarray(0, length));
    }
  } catch {
    // EIO or EAGAIN: all was read
  }
}
