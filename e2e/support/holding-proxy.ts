/** A proxy that buffers: it lets WebSockets be opened and then holds back what the server says on them. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { RunningServer } from './server.ts';

const HEADERS_END = '\r\n\r\n';

export class HoldingProxy {
  readonly #clients = new Set<Socket>();
  #holds = true;

  private constructor(
    private readonly listener: Server,
    private readonly target: RunningServer,
  ) {}

  static async start(target: RunningServer): Promise<HoldingProxy> {
    const listener = createServer((client) => proxy.#take(client));
    const proxy: HoldingProxy = new HoldingProxy(listener, target);
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The login link, through the proxy. */
  get loginUrl(): string {
    const { port } = this.listener.address() as AddressInfo;
    return this.target.loginUrl.replace(/:\d+\//, `:${port}/`);
  }

  /** From the next connection on everything passes. */
  mend(): void {
    this.#holds = false;
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) client.destroy();
    await new Promise((resolve) => this.listener.close(resolve));
  }

  #take(client: Socket): void {
    this.#clients.add(client);
    const upstream = connect(Number(new URL(this.target.url).port), '127.0.0.1');
    client.once('close', () => {
      this.#clients.delete(client);
      upstream.destroy();
    });
    upstream.once('close', () => client.destroy());
    client.on('error', () => client.destroy());
    upstream.on('error', () => upstream.destroy());
    client.once('data', (head) => {
      upstream.write(head);
      client.pipe(upstream);
      const isWebSocket = /\r\nupgrade:\s*websocket/i.test(head.toString('latin1'));
      if (isWebSocket && this.#holds) passHeadersOnly(upstream, client);
      else upstream.pipe(client);
    });
  }
}

function passHeadersOnly(from: Socket, to: Socket): void {
  let seen = '';
  from.on('data', (chunk) => {
    if (seen.includes(HEADERS_END)) return;
    const before = seen.length;
    seen += chunk.toString('latin1');
    const end = seen.indexOf(HEADERS_END);
    to.write(chunk.subarray(0, end < 0 ? chunk.length : end + HEADERS_END.length - before));
  });
}
