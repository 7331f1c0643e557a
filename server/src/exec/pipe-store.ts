/**
 * Real pipes for the output of commands. Node gives its children socket pairs instead, on which `> /dev/stderr`
 * fails, and one for output and errors each, which loses their order.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemProgram } from '../base/system-program.ts';

/** Made at once: starting `mkfifo` costs as much as a short command. */
const BATCH = 16;

/** Two descriptors, not inherited by children that are not given them. */
export type Pipe = { reader: number; writer: number };

export class PipeStore {
  #ready: string[] = [];
  #made = 0;

  /** `dir`: its own, where no command sees it; another's pipes could be opened there. */
  constructor(private readonly dir: string) {}

  /** Throws what `mkfifo` and the disk say. */
  take(): Pipe {
    const path = this.#ready.pop() ?? this.#make();
    try {
      const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        return { reader, writer: openSync(path, constants.O_WRONLY) };
      } catch (error) {
        closeSync(reader);
        throw error;
      }
    } finally {
      rmSync(path, { force: true });
    }
  }

  #make(): string {
    // what a crash has left
    if (!this.#made) rmSync(this.dir, { recursive: true, force: true });
    mkdirSync(this.dir, { recursive: true, mode: 0o700 });
    const paths = Array.from({ length: BATCH }, () => join(this.dir, `${++this.#made}`));
    // a command that runs as another user opens its output again for `> /dev/stderr`
    const { status, error, stderr } = spawnSync(systemProgram('mkfifo'), ['-m', '666', ...paths]);
    if (status !== 0) throw error ?? new Error(stderr.toString().trim());
    this.#ready = paths.slice(1);
    return paths[0] as string;
  }
}
