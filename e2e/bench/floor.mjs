/** The floor as a side of the comparison, with the methods of the product: a bare relay, and a bare page. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { forkServer, stop } from './processes.mjs';
import { Viewer } from './viewer.mjs';

export class Floor {
  name = 'floor';

  static async start(modelUrl) {
    return Object.assign(new Floor(), await forkServer('floor/relay.mjs', [modelUrl]));
  }

  get pid() {
    return this.child.pid;
  }

  get pageUrl() {
    return `http://127.0.0.1:${this.port}/`;
  }

  async openSession() {
    // there is one, from the start
  }

  async logIn() {
    // everybody is in
  }

  async ask(text) {
    this.asking ??= await this.watch(() => undefined);
    this.asking.socket.send(text);
  }

  async watch(onText) {
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}/`);
    const viewer = new Viewer(socket, (frame) => {
      if (frame.delta) onText(frame.delta);
      return frame.done === true;
    });
    await once(socket, 'open');
    return viewer;
  }

  place() {
    return { url: `ws://127.0.0.1:${this.port}/` };
  }

  stop() {
    return stop(this.child);
  }
}
