/** The model's process, and word of when it has sent all of an answer. */
import { forkServer, stop } from './processes.mjs';

export class Model {
  #sent = () => undefined;

  static async start() {
    return new Model(await forkServer('model/server.mjs'));
  }

  constructor({ child, port }) {
    this.child = child;
    this.url = `http://127.0.0.1:${port}/v1`;
    child.on('message', ({ sentAt }) => this.#sent(sentAt));
  }

  /** @returns {Promise<number>} when the next answer to end had been sent, as `epochMs` */
  answerSent() {
    return new Promise((resolve) => {
      this.#sent = resolve;
    });
  }

  stop() {
    return stop(this.child);
  }
}
