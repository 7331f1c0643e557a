/** `/api/socket`: opens a connection for each upgrade that the guard has let through. */
import type { FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';
import { type Entrance, loginOf } from '../auth/guard.ts';
import { SocketConnection, type SocketServices } from './socket-connection.ts';

/** Bytes of one client frame. */
export const FRAME_LIMIT = 64 * 1024;

/** After this long a client that does not answer the closing handshake is cut off. */
const CLOSE_GRACE_MS = 1_000;

/** Close code for a login that ended; in the range left to applications. */
const LOGGED_OUT = 4401;

/** The open connections, for the metrics. */
export class Sockets {
  readonly #open = new Set<SocketConnection>();

  add(connection: SocketConnection, socket: WebSocket): void {
    this.#open.add(connection);
    socket.once('close', () => this.#open.delete(connection));
  }

  get count(): number {
    return this.#open.size;
  }

  /** Subscriptions of all sockets. */
  get viewers(): number {
    return [...this.#open].reduce((sum, connection) => sum + connection.subscriptions, 0);
  }
}

export function socketRoute(
  app: FastifyInstance,
  { entrance, sockets, services }: { entrance: Entrance; sockets: Sockets; services: SocketServices },
): void {
  // judged like an upgrade, and does nothing: a browser is not told why its WebSocket was refused, but may ask here
  app.post('/api/socket', async (_request, reply) => reply.code(204).send());
  app.get('/api/socket', { websocket: true }, (socket, request) => {
    const login = loginOf(request);
    const stream = request.raw.socket;
    const connection = new SocketConnection(socket, { stream, login, services, log: request.log });
    sockets.add(connection, socket);
    const stop = entrance.watch.watch(login.id, {
      renamed: (name) => connection.renamed(name),
      ended: () => socket.close(LOGGED_OUT, 'logged out'),
    });
    socket.once('close', stop);
  });
}

/** Says goodbye to every client and does not wait long for an answer. */
export function closeSockets(clients: Iterable<WebSocket>): void {
  for (const client of clients) {
    client.close(1001, 'the server stops');
    setTimeout(() => client.terminate(), CLOSE_GRACE_MS).unref();
  }
}
