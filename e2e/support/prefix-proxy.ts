/**
 * A web server with other things on it: passes on what lies below one prefix, WebSockets too, and remembers every
 * request it was sent.
 */
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RunningServer } from './server.ts';

export class PrefixProxy {
  /** The path and query of each request. */
  readonly asked: string[] = [];

  private constructor(
    private readonly listener: Server,
    private readonly target: RunningServer,
    private readonly options: { prefix: string; strips: boolean },
  ) {}

  /** `prefix`: without a slash at its end. `strips`: the server behind does not see it. */
  static async start(
    target: RunningServer,
    options: { prefix: string; strips: boolean },
  ): Promise<PrefixProxy> {
    const listener = createServer();
    const proxy = new PrefixProxy(listener, target, options);
    listener.on('request', (incoming, response) => {
      const onward = proxy.#forward(incoming);
      if (typeof onward === 'string') {
        response.writeHead(onward === '' ? 404 : 301, onward === '' ? {} : { location: onward }).end();
        return;
      }
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      incoming.pipe(onward);
    });
    listener.on('upgrade', (incoming, socket) => {
      const onward = proxy.#forward(incoming);
      if (typeof onward === 'string') socket.destroy();
      else joinSockets(onward, socket);
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** Ends without a slash. */
  get url(): string {
    const { port } = this.listener.address() as AddressInfo;
    return `http://127.0.0.1:${port}${this.options.prefix}`;
  }

  /** Requests that lie outside the prefix. */
  get strays(): string[] {
    const { prefix } = this.options;
    return this.asked.filter((url) => !(url.startsWith(`${prefix}/`) || url.split('?')[0] === prefix));
  }

  async stop(): Promise<void> {
    this.listener.closeAllConnections();
    await new Promise((resolve) => this.listener.close(resolve));
  }

  /** The request to the server behind; a string where there is none: where else to go, or nowhere. */
  #forward(incoming: IncomingMessage) {
    const { prefix, strips } = this.options;
    const url = incoming.url ?? '/';
    this.asked.push(url);
    // what every web server that strips a prefix does with a directory
    if (strips && url === prefix) return `${prefix}/`;
    if (!url.startsWith(`${prefix}/`) && url !== prefix) return '';
    const onward = new URL(strips ? url.slice(prefix.length) : url, this.target.url);
    return request(onward, { method: incoming.method, headers: incoming.headers });
  }
}

function joinSockets(onward: ReturnType<typeof request>, client: Duplex): void {
  onward.on('upgrade', (answer, upstream, head) => {
    const headers = [];
    for (let at = 0; at < answer.rawHeaders.length; at += 2)
      headers.push(`${answer.rawHeaders[at]}: ${answer.rawHeaders[at + 1]}\r\n`);
    client.write(`HTTP/1.1 101 Switching Protocols\r\n${headers.join('')}\r\n`);
    client.write(head);
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
    client.once('close', () => upstream.destroy());
    upstream.pipe(client).pipe(upstream);
  });
  onward.on('response', () => client.destroy());
  onward.on('error', () => client.destroy());
  onward.end();
}
