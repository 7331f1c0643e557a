/** Codex tries to reach its provider for ever: here somebody waits for the turn, so it is given up after a while. */
import type { Failure } from '../../base/errors.ts';
import type { Notification } from '../codex-events/codex-events.ts';
import { isOfModel } from '../codex-events/of-model.ts';
import { failedTry } from '../codex-events/turn-error.ts';
import { unreachable } from '../codex-process/unreachable.ts';

export class ReconnectDeadline {
  #timer: NodeJS.Timeout | undefined;
  /** Of the newest try. */
  #reason = '';

  constructor(
    private readonly seconds: number,
    private readonly expired: (why: Failure) => void,
  ) {}

  listensTo({ method }: Notification): boolean {
    return method === 'error' || this.#timer !== undefined;
  }

  /** What Codex tells of the turn. It runs from the first try that has failed on, until something of the model comes. */
  heard(notification: Notification): void {
    const { method, params } = notification;
    const failed = method === 'error' ? failedTry(params) : null;
    if (failed === null) {
      if (isOfModel(notification)) this.stop();
      return;
    }
    this.#reason = failed;
    this.#timer ??= setTimeout(
      () => this.expired(unreachable(this.seconds, this.#reason)),
      this.seconds * 1000,
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
