/** How many commands may run at once on one server, over all its sessions: each has processes and descriptors. */
import { Failure } from '../base/errors.ts';

export class CommandCeiling {
  readonly #running = new Set<object>();

  constructor(private readonly most = 256) {}

  /** Throws `tooMany` where there is no room for another. */
  check(): void {
    if (this.#running.size < this.most) return;
    const message = `${this.most} commands run on this server, over all sessions: stop one before starting another`;
    throw new Failure('tooMany', 'exec.tooManyOnServer', message, { details: { count: this.most } });
  }

  add(command: object): void {
    this.#running.add(command);
  }

  /** Does nothing for one that is not there any more. */
  remove(command: object): void {
    this.#running.delete(command);
  }
}
