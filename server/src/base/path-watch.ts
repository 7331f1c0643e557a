/** Tells when something happens to a path: a file or a directory, its directory, or the way there. */
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Editors and agents write in several steps; one look is enough for all that happens within this time. */
const DEBOUNCE_MS = 80;

/**
 * Calls `onStir` after what is at the path may have changed, come or gone. Nothing is polled: the nearest directory
 * that exists is watched. `also`: which names beside it count, too. Call the result to stop.
 */
export function watchPath(
  path: string,
  onStir: () => void,
  also: (name: string) => boolean = () => false,
): () => void {
  const watcher = new PathWatcher(path, onStir, also);
  return () => watcher.stop();
}

class PathWatcher {
  private watcher: FSWatcher | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly path: string,
    private readonly onStir: () => void,
    private readonly also: (name: string) => boolean,
  ) {
    this.arm();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.watcher?.close();
  }

  /** Watches the path's directory, or the nearest one above it while that does not exist. */
  private arm(): void {
    this.watcher?.close();
    this.watcher = undefined;
    let missing = false;
    for (let child = this.path; child !== dirname(child); child = dirname(child)) {
      try {
        this.watcher = this.watchFor(child);
        // it may have come just before we watched the one above
        if (missing && existsSync(child)) this.later();
        return;
      } catch (error) {
        // its directory is not there, or not ours to read: the one above tells when that changes
        missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      }
    }
  }

  private watchFor(child: string): FSWatcher {
    const directory = dirname(child);
    // a directory that is moved or removed reports its own name
    const names: (string | null)[] = [basename(child), basename(directory), null];
    const watcher = watch(directory, { persistent: false }, (_event, name) => {
      if (names.includes(name) || (name !== null && this.also(name))) this.later();
    });
    return watcher.on('error', () => this.later());
  }

  private later(): void {
    if (this.stopped) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.arm();
      this.onStir();
    }, DEBOUNCE_MS);
  }
}
