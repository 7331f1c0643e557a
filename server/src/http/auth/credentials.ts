/** Checks passwords and tokens: throttled, counted before they are compared, compared in constant time. */
import { randomUUID } from 'node:crypto';
import { Failure } from '../../base/errors.ts';
import { LoginThrottle, sourceOf } from './login-throttle.ts';
import { derive, sameSecret } from './secrets.ts';

export class Credentials {
  readonly #secret: string;
  readonly #key: string;
  readonly #throttle: LoginThrottle;
  /** Changes with the secret, tells nothing about it. */
  readonly fingerprint: string;

  /** `token`: what is derived is bound to it. `now`: milliseconds that never go back. */
  constructor(options: { token: string; password: string | null; now: () => number }) {
    this.#secret = options.password ?? options.token;
    this.#key = derive(options.token, 'device');
    this.fingerprint = derive(options.token, 'fingerprint', this.#secret);
    this.#throttle = new LoginThrottle(options.now);
  }

  /**
   * Throws `unauthorized` for a wrong secret and `tooMany` (details: `retryAfter`, seconds) after too many.
   * `device`: what `deviceMark` gave this browser earlier.
   */
  check(candidate: string, from: { address: string; device: string | undefined }): void {
    const known = from.device !== undefined && this.#isMark(from.device);
    const source = known ? `device ${from.device}` : sourceOf(from.address);
    const retryAfter = this.#throttle.take(source, known);
    if (retryAfter !== null)
      throw new Failure('tooMany', 'login.throttled', `Too many tries; the next one is in ${retryAfter} s.`, {
        details: { retryAfter },
      });
    if (!sameSecret(candidate, this.#secret))
      throw new Failure('unauthorized', 'login.wrong', 'That is not the password or token of this server.');
    this.#throttle.giveBack(source, known);
  }

  /** Marks a browser that has logged in, so that strangers' failures do not hold it up later. */
  deviceMark(): string {
    const id = randomUUID();
    return `${id}.${derive(this.#key, id)}`;
  }

  #isMark(mark: string): boolean {
    const [id = '', proof = ''] = mark.split('.');
    return sameSecret(proof, derive(this.#key, id));
  }
}
