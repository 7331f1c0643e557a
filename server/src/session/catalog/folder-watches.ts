/** Tells which folders of sessions something has happened in, in bounded numbers of watches. */
import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';

/** Folders of days; the newest are found first. In others changes are seen when the catalogue is asked. */
const MOST_WATCHED = 500;

/** An agent that works writes all the time; its file is read this often at the most. */
const SETTLE_MS = 1500;

export class FolderWatches<Place extends { dir: string }> {
  readonly #watched = new Map<string, FSWatcher>();
  readonly #stirred = new Map<string, Place>();
  #came = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `came`: a folder may have come or gone in one of them. */
  constructor(private readonly onStir: (places: Place[], came: boolean) => void) {}

  add(place: Place): void {
    const { dir } = place;
    if (this.#closed || this.#watched.has(dir) || this.#watched.size >= MOST_WATCHED) return;
    try {
      const watcher = watch(dir, { persistent: false }, (_event, name) => {
        // it has gone itself, and may come back as another one
        if (name === basename(dir)) this.#drop(dir);
        this.#stir(place, name === null || !name.startsWith('rollout-'));
      });
      watcher.on('error', () => this.#drop(dir));
      this.#watched.set(dir, watcher);
    } catch {
      // it has just gone, or there are no watches left: it is looked at when the catalogue is asked
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watched.values()) watcher.close();
  }

  #stir(place: Place, came: boolean): void {
    this.#stirred.set(place.dir, place);
    this.#came ||= came;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const [places, came] = [[...this.#stirred.values()], this.#came];
      this.#stirred.clear();
      this.#came = false;
      if (!this.#closed) this.onStir(places, came);
    }, SETTLE_MS);
    this.#timer.unref();
  }

  #drop(dir: string): void {
    this.#watched.get(dir)?.close();
    this.#watched.delete(dir);
  }
}
