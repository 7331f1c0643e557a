/**
 * Login sessions: what a cookie stands for. The cookie holds 256 random bits, the store their hash. A login ends
 * on logout, when the server's secret changes, and after 90 days without use.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Login } from './login.ts';
import type { LoginStore, StoredLogin } from './login-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LIFETIME_MS = 90 * DAY_MS;
const TOUCH_MS = DAY_MS;
const LOGINS_KEPT = 1000;

export class LoginSessions {
  readonly #store: LoginStore;
  readonly #fingerprint: string;
  readonly #now: () => number;

  constructor(options: { store: LoginStore; fingerprint: string; now: () => number }) {
    this.#store = options.store;
    this.#fingerprint = options.fingerprint;
    this.#now = options.now;
  }

  /** Opens a login; resolves with it and its cookie's value once it is on disk. */
  async open(about: {
    name: string | null;
    userAgent: string | null;
  }): Promise<{ login: Login; cookie: string }> {
    const token = randomBytes(32).toString('base64url');
    const at = this.#at(0);
    await this.#store.prune({
      fingerprint: this.#fingerprint,
      since: this.#at(-LIFETIME_MS),
      keep: LOGINS_KEPT - 1,
    });
    await this.#store.insert({
      idHash: hashOf(token),
      fingerprint: this.#fingerprint,
      createdAt: at,
      lastSeenAt: at,
      ...about,
    });
    return { login: { id: hashOf(token), name: about.name }, cookie: token };
  }

  /** The login a cookie's value stands for; null when there is none (any more). */
  find(token: string): Login | null {
    const login = this.#alive(hashOf(token));
    if (!login) return null;
    if (login.lastSeenAt < this.#at(-TOUCH_MS)) void this.#touch(login.idHash);
    return { id: login.idHash, name: login.name };
  }

  /** Whether the login with this id goes on. */
  has(id: string): boolean {
    return this.#alive(id) !== null;
  }

  /** Resolves once the new name is on disk. */
  rename(id: string, name: string): Promise<void> {
    return this.#store.rename(id, name);
  }

  end(id: string): Promise<void> {
    return this.#store.remove(id);
  }

  #alive(idHash: string): StoredLogin | null {
    const login = this.#store.find(idHash);
    if (login?.fingerprint !== this.#fingerprint) return null;
    return login.lastSeenAt < this.#at(-LIFETIME_MS) ? null : login;
  }

  async #touch(idHash: string): Promise<void> {
    await this.#store.touch(idHash, this.#at(0)).catch(() => undefined); // it only ends earlier
  }

  #at(offsetMs: number): string {
    return new Date(this.#now() + offsetMs).toISOString();
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
