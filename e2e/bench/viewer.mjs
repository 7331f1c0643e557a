/** A client's socket: counts what it receives. */
export class Viewer {
  bytes = 0;
  #listeners = new Set();

  /** `onFrame` says whether an answer has ended with this frame. */
  constructor(socket, onFrame) {
    this.socket = socket;
    socket.on('message', (data) => {
      this.bytes += data.length;
      const frame = JSON.parse(data.toString());
      const ended = onFrame(frame);
      for (const listener of this.#listeners) listener(frame, ended);
    });
  }

  heard(wanted) {
    return new Promise((resolve) => {
      const listener = (frame, ended) => {
        if (!wanted(frame, ended)) return;
        this.#listeners.delete(listener);
        resolve();
      };
      this.#listeners.add(listener);
    });
  }

  answered() {
    return this.heard((_frame, ended) => ended);
  }

  close() {
    this.socket.close();
  }
}
