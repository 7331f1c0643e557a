/** A TCP proxy before the server whose WebSockets can be cut, and kept away, while plain requests go through. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { RunningServer } from './server.ts';

const UPGRADE = /^upgrade: *websocket\r?$/im;

export class CutProxy {
  readonly #clients = new Set<Socket>();
  readonly #webSockets = new Set<Socket>();
  #away = false;

  private constructor(
    private readonly listener: Server,
    private target: RunningServer,
  ) {}

  static async start(target: RunningServer): Promise<CutProxy> {
    const listener = createServer((client) => proxy.#take(client));
    const proxy: CutProxy = new CutProxy(listener, target);
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** The login link, through the proxy. */
  get loginUrl(): string {
    return this.target.loginUrl.replace(/:\d+\//, `:${this.port}/`);
  }

  /** Another server takes the place of the one before, whose connections are gone. */
  leadTo(target: RunningServer): void {
    this.target = target;
    for (const client of this.#clients) client.destroy();
  }

  /** Breaks every WebSocket and, until `mend`, refuses new ones. */
  cut(): void {
    this.#away = true;
    this.breakAll();
  }

  mend(): void {
    this.#away = false;
  }

  /** Breaks every WebSocket; new ones are let through. */
  breakAll(): void {
    for (const socket of this.#webSockets) socket.destroy();
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) client.destroy();
    await new Promise((resolve) => {
      this.listener.close(resolve);
    });
  }

  /** The first bytes tell what a connection is for. */
  #take(client: Socket): void {
    this.#clients.add(client);
    client.once('close', () => this.#clients.delete(client));
    client.on('error', () => client.destroy());
    client.once('data', (head) => {
      const isWebSocket = UPGRADE.test(head.toString('latin1'));
      if (isWebSocket && this.#away) client.destroy();
      else this.#forward(client, head, isWebSocket);
    });
  }

  #forward(client: Socket, head: Buffer, isWebSocket: boolean): void {
    const upstream = connect(Number(new URL(this.target.url).port), '127.0.0.1');
    upstream.on('error', () => client.destroy());
    upstream.once('close', () => client.destroy());
    client.once('close', () => upstream.destroy());
    if (isWebSocket) {
      this.#webSockets.add(client);
      client.once('close', () => this.#webSockets.delete(client));
    }
    upstream.write(head);
    client.pipe(upstream).pipe(client);
  }
}
