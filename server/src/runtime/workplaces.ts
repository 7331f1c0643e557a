/** Which sessions of a server work where at this moment: two in one directory change each other's files. */
import { realpathSync } from 'node:fs';

/** A session whose turn runs. */
export interface Worker {
  readonly directory: string;
  /** Called with each of the others that work in its directory, again and again. */
  meet(other: Worker): void;
  readonly title: string | null;
  /** It only waits for people, and changes nothing: whoever it shares its directory with it meets when it goes on. */
  readonly waits: boolean;
}

export class Workplaces {
  readonly #working = new Map<Worker, string>();

  enter(worker: Worker): void {
    this.#working.set(worker, real(worker.directory));
  }

  leave(worker: Worker): void {
    this.#working.delete(worker);
  }

  /** Lets a session that works, and those that work in the same directory, meet. */
  introduce(worker: Worker): void {
    const place = this.#working.get(worker);
    for (const [other, itsPlace] of this.#working) {
      if (other === worker || itsPlace !== place || other.waits) continue;
      worker.meet(other);
      other.meet(worker);
    }
  }
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // it has vanished: then nobody works there for long
  }
}
