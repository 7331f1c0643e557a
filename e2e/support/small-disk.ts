/** A disk of a few megabytes that a test can fill to the last byte: a tmpfs of its own. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export class SmallDisk {
  private constructor(readonly dir: string) {}

  /** null, with the reason printed, where this process may not mount. */
  static mount(dir: string): SmallDisk | null {
    mkdirSync(dir, { recursive: true });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tscodex-test', dir], { stdio: 'pipe' });
      return new SmallDisk(dir);
    } catch (error) {
      console.log(`no small disk to fill, so the unit tests of base/ alone speak of it: ${error}`);
      return null;
    }
  }

  /** Leaves no byte. */
  fill(): void {
    const file = openSync(join(this.dir, 'ballast'), 'a');
    try {
      for (const size of [64 * 1024, 512]) fillBy(file, size);
    } finally {
      closeSync(file);
    }
  }

  makeRoom(): void {
    rmSync(join(this.dir, 'ballast'));
  }

  makeReadOnly(): void {
    execFileSync('mount', ['-o', 'remount,ro', this.dir], { stdio: 'pipe' });
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.dir]);
  }
}

function fillBy(file: number, size: number): void {
  const block = Buffer.alloc(size);
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
