/** A raw client of the server's WebSocket: reads frame by frame what a page would fold. */
import { once } from 'node:events';
import type { ClientFrame, ServerFrame } from '@tscodex/shared/socket';
import { WebSocket } from 'ws';
import type { RunningServer } from './server.ts';

export class SocketClient {
  readonly #frames: ServerFrame[] = [];
  readonly #readers: ((frame: ServerFrame) => void)[] = [];
  /** Resolves with the code the connection is closed with. */
  readonly closed: Promise<number>;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as ServerFrame;
      const reader = this.#readers.shift();
      if (reader) reader(frame);
      else this.#frames.push(frame);
    });
    this.closed = new Promise((resolve) => socket.once('close', resolve));
  }

  /** Connects and reads the hello. */
  static async connect(server: RunningServer): Promise<SocketClient> {
    const headers = { authorization: `Bearer ${server.token}` };
    const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}api/socket`, { headers });
    const client = new SocketClient(socket);
    await once(socket, 'open');
    const hello = await client.next();
    if (hello.type !== 'hello') throw new Error(`no hello: ${JSON.stringify(hello)}`);
    return client;
  }

  send(frame: ClientFrame): void {
    this.sendRaw(JSON.stringify(frame));
  }

  sendRaw(data: string | Uint8Array): void {
    this.socket.send(data);
  }

  async next(): Promise<ServerFrame> {
    return this.#frames.shift() ?? new Promise((resolve) => this.#readers.push(resolve));
  }

  close(): void {
    this.socket.terminate();
  }
}
