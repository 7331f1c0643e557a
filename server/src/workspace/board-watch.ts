/** Tells when a board changes, also when its file or even its directory comes, goes and comes again. */
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { boardVersion } from './board.ts';

/** Editors and agents write in several steps; one look is enough for all that happens within this time. */
const DEBOUNCE_MS = 80;

/**
 * Calls `onChange` with the new version (null: no board) whenever it differs from the last one told. Nothing is
 * polled: the nearest directory that exists is watched. Call the result to stop.
 */
export function watchBoard(
  path: string,
  version: string | null,
  onChange: (version: string | null) => void,
): () => void {
  const watcher = new BoardWatcher(path, version, onChange);
  return () => watcher.stop();
}

class BoardWatcher {
  private watcher: FSWatcher | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly path: string,
    private version: string | null,
    private readonly onChange: (version: string | null) => void,
  ) {
    this.arm();
    this.look();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.watcher?.close();
  }

  /** Watches the board's directory, or the nearest one above it while that does not exist. */
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
      if (names.includes(name)) this.later();
    });
    return watcher.on('error', () => this.later());
  }

  private later(): void {
    if (this.stopped) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.arm();
      this.look();
    }, DEBOUNCE_MS);
  }

  private look(): void {
    void boardVersion(this.path).then((version) => {
      if (this.stopped || version === this.version) return;
      this.version = version;
      this.onChange(version);
    });
  }
}
