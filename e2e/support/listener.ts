/** A server that answers everything and remembers what reached it: what a page must not reach. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export class Listener {
  /** Method and address of each request, and a line for each connection. */
  readonly heard: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Listener> {
    const server = createServer((request, response) => {
      listener.heard.push(`${request.method} ${request.url}`);
      response.setHeader('access-control-allow-origin', '*');
      response.end('<p>You have left.</p>');
    });
    server.on('connection', () => listener.heard.push('connection'));
    const listener: Listener = new Listener(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return listener;
  }

  /** `127.0.0.1:port` */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
