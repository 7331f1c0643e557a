/**
 * The cookies: the login, the mark of a browser that has logged in before, and, where nobody logs in, who the
 * guest is.
 */
import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { guestCookie, guestOf } from './guests.ts';
import type { Login } from './login.ts';
import { derive } from './secrets.ts';

/** Browsers keep no cookie longer than 400 days; when a login ends is the server's to say. */
const MAX_AGE_S = 400 * 24 * 60 * 60;

export class LoginCookies {
  readonly #login: string;
  readonly #device: string;
  readonly #guest: string;
  readonly #path: string;
  readonly #secure: boolean;

  /** The names carry an id of this instance: cookies ignore ports, and servers may share a host. */
  constructor(options: { token: string; basePath: string; publicUrl: URL | null }) {
    const instance = derive(options.token, 'instance').slice(0, 10);
    this.#login = `tscodex_login_${instance}`;
    this.#device = `tscodex_device_${instance}`;
    this.#guest = `tscodex_guest_${instance}`;
    this.#path = options.basePath || '/';
    this.#secure = options.publicUrl?.protocol === 'https:';
  }

  login(request: FastifyRequest): string | undefined {
    return request.cookies[this.#login];
  }

  device(request: FastifyRequest): string | undefined {
    return request.cookies[this.#device];
  }

  guest(request: FastifyRequest): Login {
    return guestOf(request.cookies[this.#guest]);
  }

  /** Whether this browser has an id already. */
  hasGuest(request: FastifyRequest): boolean {
    return guestCookie(this.guest(request)) !== null;
  }

  set(request: FastifyRequest, reply: FastifyReply, values: { login: string; device: string }): void {
    const attributes = this.#attributes(request);
    reply.setCookie(this.#login, values.login, attributes);
    reply.setCookie(this.#device, values.device, attributes);
  }

  setGuest(request: FastifyRequest, reply: FastifyReply, guest: Login): void {
    const value = guestCookie(guest);
    // it opens nothing, and must not be lost to a visit that begins with a link elsewhere
    const attributes = { ...this.#attributes(request), sameSite: 'lax' as const };
    if (value !== null) reply.setCookie(this.#guest, value, attributes);
  }

  /** Ends the login in the browser; the mark of the device stays. */
  clear(reply: FastifyReply): void {
    reply.clearCookie(this.#login, { path: this.#path });
  }

  #attributes(request: FastifyRequest) {
    const secure = this.#secure || request.protocol === 'https';
    return { httpOnly: true, sameSite: 'strict', path: this.#path, secure, maxAge: MAX_AGE_S } as const;
  }
}
