/**
 * Who may in. Every request and every socket upgrade passes here, in this order: Host, Origin, login. A route
 * is closed unless it says otherwise in its `config.access`.
 */
import '@fastify/websocket';
import { personName } from '@tscodex/shared/workspace';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../base/errors.ts';
import { rootFrom } from '../relative-url.ts';
import type { Credentials } from './credentials.ts';
import { isGuest, newGuest } from './guests.ts';
import { type HostPolicy, hostAllowed, originAllowed } from './host-origin.ts';
import { isProgram, type Login, programLogin } from './login.ts';
import type { LoginCookies } from './login-cookies.ts';
import type { LoginSessions } from './login-sessions.ts';
import type { LoginWatch } from './login-watch.ts';
import { isSafeNext } from './next-path.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `open`: for everybody. `ticket`: the route checks what the URL carries. */
    access?: 'open' | 'ticket';
  }
  interface FastifyRequest {
    /** null on open routes without a login. */
    login: Login | null;
  }
}

export type Entrance = {
  hosts: HostPolicy;
  credentials: Credentials;
  sessions: LoginSessions;
  cookies: LoginCookies;
  watch: LoginWatch;
  /** False with `--no-auth`. */
  required: boolean;
};

/** What a program says its name with: UTF-8, as on any line of a terminal. */
export const NAME_HEADER = 'x-tscodex-name';

/** Whether the login behind a ticket or socket goes on. */
export function loginGoesOn(entrance: Entrance, id: string): boolean {
  if (isGuest(id)) return !entrance.required;
  return isProgram(id) || entrance.sessions.has(id);
}

export function guard(app: FastifyInstance, entrance: Entrance): void {
  app.decorateRequest('login', null);
  app.addHook('onRequest', async (request, reply) => {
    checkHost(entrance.hosts, request);
    checkOrigin(entrance.hosts, request);
    request.login = findLogin(entrance, request);
    const open = request.routeOptions.config.access !== undefined;
    if (!open && !entrance.required) welcomeGuest(entrance, request, reply);
    if (open || request.login) return;
    if (!isPageRequest(request)) throw unauthorized();
    return toLogin(request, reply);
  });
}

/** Whether a person's browser asks for a page, rather than a program for data. */
export function isPageRequest(request: FastifyRequest): boolean {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  return reads && !/^\/(api\/|metrics\b|healthz\b)/.test(request.url);
}

/** The login of a request on a closed route. */
export function loginOf(request: FastifyRequest): Login {
  if (!request.login) throw unauthorized();
  return request.login;
}

function checkHost(hosts: HostPolicy, request: FastifyRequest): void {
  const { host } = request.headers;
  if (hostAllowed(hosts, host)) return;
  const received = host === undefined ? 'no Host header' : `Host ${JSON.stringify(host)}`;
  throw new Failure(
    'forbidden',
    'request.host',
    `This server does not answer to ${received}. If people reach it by that name, allow it with --allowed-host NAME or --public-url URL; if a proxy put it there, let the proxy keep the browser's (nginx: proxy_set_header Host $http_host).`,
    { details: { host: host ?? '' } },
  );
}

function checkOrigin(hosts: HostPolicy, request: FastifyRequest): void {
  const safe = ['GET', 'HEAD', 'OPTIONS'].includes(request.method) && !request.ws;
  if (safe) return;
  const { origin, host } = request.headers;
  if (origin === undefined) {
    if (bearerOf(request) !== null) return;
    throw new Failure(
      'forbidden',
      'request.origin',
      'This request carries no Origin header; a program sends "Authorization: Bearer" with the token or password.',
    );
  }
  if (originAllowed(hosts, origin, host)) return;
  throw new Failure(
    'forbidden',
    'request.origin',
    `Origin ${JSON.stringify(origin)} is not Host ${JSON.stringify(host)}: a proxy in between changes the Host header. Let it keep the browser's (nginx: proxy_set_header Host $http_host), or start the server with --public-url URL.`,
    { details: { origin, host } },
  );
}

/** A browser's first page gives it an id, so that its name and what it looks at are its own. */
function welcomeGuest(entrance: Entrance, request: FastifyRequest, reply: FastifyReply): void {
  if (entrance.cookies.hasGuest(request) || !isPageRequest(request)) return;
  request.login = newGuest();
  entrance.cookies.setGuest(request, reply, request.login);
}

function findLogin(entrance: Entrance, request: FastifyRequest): Login | null {
  if (!entrance.required) return entrance.cookies.guest(request);
  const bearer = bearerOf(request);
  if (bearer !== null) {
    entrance.credentials.check(bearer, { address: request.ip, device: entrance.cookies.device(request) });
    return programLogin(programName(request));
  }
  const cookie = entrance.cookies.login(request);
  return cookie === undefined ? null : entrance.sessions.find(cookie);
}

function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '');
  return match?.[1] === undefined ? null : utf8(match[1]);
}

function programName(request: FastifyRequest): string | null {
  const given = request.headers[NAME_HEADER];
  if (typeof given !== 'string') return null;
  const name = personName.safeParse(utf8(given));
  if (name.success) return name.data;
  const why = name.error.issues.map(({ message }) => message).join('; ');
  throw new Failure('invalid', 'name.header', `The header ${NAME_HEADER} holds no name: ${why}.`);
}

/** Node reads headers as Latin-1; passwords and names may hold more. */
function utf8(header: string): string {
  return Buffer.from(header, 'latin1').toString('utf8');
}

function unauthorized(): Failure {
  return new Failure('unauthorized', 'login.needed', 'Please log in first.');
}

function toLogin(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const back = request.url !== '/' && isSafeNext(request.url);
  const query = back ? `?next=${encodeURIComponent(request.url)}` : '';
  return reply.redirect(`${rootFrom(request.url)}login${query}`, 302);
}
