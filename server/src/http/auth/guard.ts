/**
 * Who may in. Every request and every socket upgrade passes here, in this order: Host, Origin, login. A route
 * is closed unless it says otherwise in its `config.access`.
 */
import '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../base/errors.ts';
import { rootFrom } from '../relative-url.ts';
import type { Credentials } from './credentials.ts';
import { type HostPolicy, hostAllowed, originAllowed } from './host-origin.ts';
import type { LoginCookies } from './login-cookies.ts';
import type { Login, LoginSessions } from './login-sessions.ts';
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
  /** False with `--no-auth`. */
  required: boolean;
};

/** Who sends the right `Authorization: Bearer`. */
const PROGRAM: Login = { id: 'program', name: null };
/** Everybody, with `--no-auth`. */
const ANYBODY: Login = { id: 'anybody', name: null };

/** Whether the login behind a ticket or socket goes on. */
export function loginGoesOn(entrance: Entrance, id: string): boolean {
  if (id === ANYBODY.id) return !entrance.required;
  return id === PROGRAM.id || entrance.sessions.has(id);
}

export function guard(app: FastifyInstance, entrance: Entrance): void {
  app.decorateRequest('login', null);
  app.addHook('onRequest', async (request, reply) => {
    checkHost(entrance.hosts, request);
    checkOrigin(entrance.hosts, request);
    request.login = findLogin(entrance, request);
    const open = request.routeOptions.config.access !== undefined;
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
    `This server does not answer to ${received}; --allowed-host NAME or --public-url URL allows it.`,
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
    `Origin ${JSON.stringify(origin)} is not Host ${JSON.stringify(host)}; behind a proxy, keep the Host header or say --public-url URL.`,
  );
}

function findLogin(entrance: Entrance, request: FastifyRequest): Login | null {
  if (!entrance.required) return ANYBODY;
  const bearer = bearerOf(request);
  if (bearer !== null) {
    entrance.credentials.check(bearer, { address: request.ip, device: entrance.cookies.device(request) });
    return PROGRAM;
  }
  const cookie = entrance.cookies.login(request);
  return cookie === undefined ? null : entrance.sessions.find(cookie);
}

function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '');
  // Node reads headers as Latin-1; a password may hold more
  return match?.[1] === undefined ? null : Buffer.from(match[1], 'latin1').toString('utf8');
}

function unauthorized(): Failure {
  return new Failure('unauthorized', 'login.needed', 'Please log in first.');
}

function toLogin(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const back = request.url !== '/' && isSafeNext(request.url);
  const query = back ? `?next=${encodeURIComponent(request.url)}` : '';
  return reply.redirect(`${rootFrom(request.url)}login${query}`, 302);
}
