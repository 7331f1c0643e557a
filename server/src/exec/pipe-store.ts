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
const READ_BYTES = 64 * 1024;

/** Two descriptors, not inherited by children that are not given them. */
export type Pipe = { reader: number; writer: number };

export class PipeStore {
  #ready: string[] = [];
  #made = 0;
  #buffer: Buffer | undefined;

  /** `dir`: its own, where no command sees it; another's pipes could be opened there. */
  constructor(private readonly dir: string) {}

  /** Into which any of them may be read, as what was read is used before the next read. */
  get buffer(): Buffer {
    this.#buffer ??= Buffer.allocUnsafe(READ_BYTES);
    return this.#buffer;
  }

  /** Throws what `mkfifo` and the disk say. */
  take(): Pipe {
    const path = this.takePath();
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

  /** For a program that opens it by its path; to be given back or removed. Throws as `take`. */
  takePath(): string {
    return this.#ready.pop() ?? this.#make();
  }

  /** What nothing has open any more. */
  giveBack(path: string): void {
    this.#ready.push(path);
  }

  #make(): string {
    // what a crash has left
    if (!this.#made) rmSync(this.dir, { recursive: true, force: true });
    mkdirSync(this.dir, { recursive: true, mode: 0o700 });
    const paths = Array.from({ length: BATCH }, () => join(this.dir, `${++this.#made}`));
    // a command that runs as another user opens its output again for `> /dev/stderr`
    const { status, error, stderr } = spawnSync(systemProgram('mkfifo'), ['-m', '666', ...paths]);
    if (status !== 0) throw error ?? new Error(stderr.toString().trim());
    this.#ready.push(...paths.slice(1));
    return paths[0] as string;
  }
}
