/** The model's process, and word of what it is asked and of when it has sent all of an answer. */
import { forkServer, stop } from './processes.mjs';

export class Model {
  #asked = () => undefined;
  #sent = () => undefined;

  static async start() {
    return new Model(await forkServer('model/server.mjs'));
  }

  constructor({ child, port }) {
    this.child = child;
    this.url = `http://127.0.0.1:${port}/v1`;
    child.on('message', ({ askedAt, bytes, sentAt }) => {
      if (askedAt === undefined) this.#sent(sentAt);
      else this.#asked({ askedAt, bytes });
    });
  }

  /** @returns {Promise<{askedAt: number, bytes: number}>} the next request: when it had come whole, its size */
  asked() {
    return new Promise((resolve) => {
      this.#asked = resolve;
    });
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
