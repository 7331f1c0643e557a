/** The two cookies: the login, and the mark of a browser that has logged in before. */
import '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { derive } from './secrets.ts';

/** Browsers keep no cookie longer than 400 days; when a login ends is the server's to say. */
const MAX_AGE_S = 400 * 24 * 60 * 60;

export class LoginCookies {
  readonly #login: string;
  readonly #device: string;
  readonly #path: string;
  readonly #secure: boolean;

  /** The names carry an id of this instance: cookies ignore ports, and servers may share a host. */
  constructor(options: { token: string; basePath: string; publicUrl: URL | null }) {
    const instance = derive(options.token, 'instance').slice(0, 10);
    this.#login = `tscodex_login_${instance}`;
    this.#device = `tscodex_device_${instance}`;
    this.#path = options.basePath || '/';
    this.#secure = options.publicUrl?.protocol === 'https:';
  }

  login(request: FastifyRequest): string | undefined {
    return request.cookies[this.#login];
  }

  device(request: FastifyRequest): string | undefined {
    return request.cookies[this.#device];
  }

  set(request: FastifyRequest, reply: FastifyReply, values: { login: string; device: string }): void {
    const attributes = {
      httpOnly: true,
      sameSite: 'strict',
      path: this.#path,
      secure: this.#secure || request.protocol === 'https',
      maxAge: MAX_AGE_S,
    } as const;
    reply.setCookie(this.#login, values.login, attributes);
    reply.setCookie(this.#device, values.device, attributes);
  }

  /** Ends the login in the browser; the mark of the device stays. */
  clear(reply: FastifyReply): void {
    reply.clearCookie(this.#login, { path: this.#path });
  }
}
