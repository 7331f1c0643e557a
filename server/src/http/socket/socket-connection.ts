/** One client of `/api/socket`: its subscriptions, what it hears of the overview, and whether it is still there. */
import { homedir } from 'node:os';
import type { Writable } from 'node:stream';
import { type ClientFrame, clientFrame, PROTOCOL, type ServerFrame } from '@tscodex/shared/socket';
import type { FastifyBaseLogger } from 'fastify';
import type { RawData, WebSocket } from 'ws';
import { Failure } from '../../base/errors.ts';
import type { SessionDirectory } from '../../runtime/session-directory.ts';
import { type Login, meOf } from '../auth/login.ts';
import type { Audiences } from './audience.ts';
import type { EventJson } from './event-json.ts';
import type { OverviewFeed } from './overview-feed.ts';
import type { Place, Presence } from './presence.ts';
import { SocketLink } from './socket-link.ts';
import { SocketOverview } from './socket-overview.ts';
import { SocketViewer } from './socket-viewer.ts';

/** Subscriptions of one socket, those being opened included. */
const SUBSCRIPTIONS_LIMIT = 64;

/** Both sides give up after this many silent periods. */
const SILENT_PERIODS = 3;

/** Bytes that may wait for a client when a reply is to be added: far above the largest snapshot. */
const REPLIES_LIMIT = 64 * 1024 * 1024;

export type SocketServices = {
  sessions: SessionDirectory;
  overview: OverviewFeed;
  presence: Presence;
  audiences: Audiences;
  json: EventJson;
  version: string;
  heartbeatMs: number;
};

export class SocketConnection {
  readonly #socket: WebSocket;
  readonly #link: SocketLink;
  readonly #services: SocketServices;
  readonly #log: FastifyBaseLogger;
  readonly #overview: SocketOverview;
  /** How to end each subscription; `null` while it is being opened. */
  readonly #subscriptions = new Map<number, (() => void) | null>();
  readonly #heartbeat: NodeJS.Timeout;
  #login: Login;
  #nextSub = 1;
  #silentPeriods = 0;
  #place: Place | null = null;

  constructor(
    socket: WebSocket,
    {
      stream,
      login,
      services,
      log,
    }: { stream: Writable; login: Login; services: SocketServices; log: FastifyBaseLogger },
  ) {
    this.#socket = socket;
    this.#login = login;
    this.#link = new SocketLink(socket, stream);
    this.#services = services;
    this.#log = log;
    this.#overview = new SocketOverview(this.#link, services.overview, services.presence);
    const { heartbeatMs, version } = services;
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs);
    socket.on('message', (data, binary) => this.#received(data, binary));
    socket.on('pong', () => this.#heard());
    socket.once('close', () => this.#closed());
    const me = meOf(login);
    this.#send({ type: 'hello', protocol: PROTOCOL, heartbeatMs, me, version, home: homedir() });
  }

  get subscriptions(): number {
    return this.#subscriptions.size;
  }

  /** The person behind it goes by another name now. */
  renamed(name: string): void {
    this.#login = { ...this.#login, name };
    const me = meOf(this.#login);
    this.#send({ type: 'me', me });
    if (this.#place) this.#services.presence.see(this, me, this.#place);
  }

  #heard(): void {
    this.#silentPeriods = 0;
  }

  /** A frame for the page, which cannot see a WebSocket's own ping, and a ping for every other client. */
  #beat(): void {
    this.#silentPeriods++;
    if (this.#silentPeriods > SILENT_PERIODS) {
      this.#socket.terminate();
      return;
    }
    this.#socket.ping();
    this.#pong();
  }

  #pong(): void {
    // what waits already shows that the server lives
    if (!this.#link.congested) this.#send({ type: 'pong' });
  }

  #received(data: RawData, binary: boolean): void {
    this.#heard();
    const frame = binary ? null : parseFrame(data.toString());
    if (!frame) {
      const message =
        'That is no frame of this protocol: subscribe, unsubscribe, overview, looking or ping, as JSON.';
      this.#send({ type: 'error', code: 'socket.frame', message });
    } else this.#answer(frame);
  }

  #answer(frame: ClientFrame): void {
    switch (frame.type) {
      case 'subscribe':
        void this.#subscribe(frame);
        return;
      case 'unsubscribe':
        this.#unsubscribe(frame.sub);
        return;
      case 'overview':
        this.#overview.start();
        return;
      case 'looking':
        this.#look(frame.workspace, frame.session);
        return;
      case 'ping':
        this.#pong();
    }
  }

  /** Never rejects: what goes wrong is said in a frame. */
  async #subscribe({
    session: ref,
    epoch,
    after,
  }: Extract<ClientFrame, { type: 'subscribe' }>): Promise<void> {
    if (this.#subscriptions.size >= SUBSCRIPTIONS_LIMIT) {
      const message = `One socket may follow ${SUBSCRIPTIONS_LIMIT} sessions; unsubscribe from one first.`;
      return this.#send({ type: 'error', code: 'socket.subscriptions', message, ref });
    }
    const sub = this.#nextSub++;
    this.#subscriptions.set(sub, null);
    try {
      const session = await this.#services.sessions.find(ref);
      if (!this.#subscriptions.has(sub)) return;
      this.#send({ type: 'subscribed', session: ref, sub });
      const viewer = new SocketViewer({
        sub,
        link: this.#link,
        json: this.#services.json,
        current: () => session.snapshot(),
        onEnd: (reason) => this.#ended(sub, ref, reason),
      });
      const from = epoch !== undefined && after !== undefined ? { epoch, after } : undefined;
      const detach = this.#services.audiences.of(session).join(viewer, from);
      const end = () => {
        detach();
        viewer.detach();
      };
      if (this.#subscriptions.has(sub)) this.#subscriptions.set(sub, end);
      else end();
    } catch (error) {
      this.#subscriptions.delete(sub);
      this.#send({ type: 'error', ...this.#described(error), ref });
    }
  }

  #ended(sub: number, ref: string, message: string): void {
    this.#subscriptions.delete(sub);
    this.#send({ type: 'error', code: 'session.ended', message, ref });
  }

  #unsubscribe(sub: number): void {
    this.#subscriptions.get(sub)?.();
    this.#subscriptions.delete(sub);
  }

  #look(workspace: string | null, session: string | null): void {
    this.#place = workspace === null ? null : { workspace, session };
    this.#services.presence.see(this, meOf(this.#login), this.#place);
  }

  #closed(): void {
    clearInterval(this.#heartbeat);
    this.#overview.stop();
    this.#services.presence.leave(this, meOf(this.#login));
    for (const end of this.#subscriptions.values()) end?.();
    this.#subscriptions.clear();
  }

  #described(error: unknown): { code: string; message: string } {
    if (error instanceof Failure) return { code: error.code, message: error.message };
    this.#log.error({ err: error }, 'subscribe failed');
    return { code: 'server.internal', message: 'Something went wrong inside the server; its log says more.' };
  }

  #send(frame: ServerFrame): void {
    // a client that sends without reading is not answered for ever
    if (this.#socket.bufferedAmount > REPLIES_LIMIT) this.#socket.terminate();
    else this.#link.send(JSON.stringify(frame));
  }
}

function parseFrame(text: string): ClientFrame | null {
  try {
    return clientFrame.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null; // not JSON: the same answer as an unknown frame
  }
}
