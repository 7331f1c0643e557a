/**
 * What bubblewrap waits at before it starts the program. It reads the filter of system calls when everything is
 * mounted, as the last thing it needs, to the end of its file. That file is a pipe here, into which the filter goes
 * once the mounts were looked at. Without one, also where this server has gone meanwhile, bubblewrap starts nothing.
 */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { MountState } from './mount-check.ts';

/** bubblewrap takes some milliseconds; a machine that is busy shall not be made busier. */
const LOOK_MS = 1;
const LATER_MS = 10;
const QUICK_LOOKS = 50;

export class FilterGate {
  /** What bubblewrap is to read the filter from, until `close`. */
  readonly reader: number;
  #writer: number | null;
  #refused = false;

  /**
   * `path`: a named pipe that nothing else has open. `look` is asked again and again until all is mounted.
   * Throws what the disk says.
   */
  constructor(path: string, filter: Buffer, look: () => MountState) {
    // so that neither end waits for the other to be opened; the reader is to wait for what is written
    const both = openSync(path, constants.O_RDWR);
    try {
      this.reader = openSync(path, constants.O_RDONLY);
      try {
        this.#writer = openSync(path, constants.O_WRONLY);
      } catch (error) {
        closeSync(this.reader);
        throw error;
      }
    } finally {
      closeSync(both);
    }
    void this.#watch(filter, look);
  }

  /** Whether something else was mounted than what was meant: then nothing has been started. */
  get refused(): boolean {
    return this.#refused;
  }

  /** What waits there still starts nothing. */
  close(): void {
    if (this.#writer === null) return;
    closeSync(this.#writer);
    closeSync(this.reader);
    this.#writer = null;
  }

  async #watch(filter: Buffer, look: () => MountState): Promise<void> {
    for (let looks = 1; ; looks++) {
      await delay(looks < QUICK_LOOKS ? LOOK_MS : LATER_MS);
      if (this.#writer === null) return;
      const state = look();
      this.#refused = state === 'moved';
      // it has room in the pipe whether somebody reads it or not
      if (state === 'asMeant') writeSync(this.#writer, filter);
      if (state !== 'unfinished') return this.close();
    }
  }
}
