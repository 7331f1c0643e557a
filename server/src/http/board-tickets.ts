/**
 * Tickets in the board's URL. Images and reloads of a sandboxed frame carry no cookie, so the URL says who
 * opened it: a login, for one workspace, until that login ends.
 */
import { derive, sameSecret } from './auth/secrets.ts';

export class BoardTickets {
  readonly #key: string;

  /** `fingerprint`: of the server's secret; another one voids all tickets. */
  constructor(options: { token: string; fingerprint: string }) {
    this.#key = derive(options.token, 'board', options.fingerprint);
  }

  issue(loginId: string, workspaceId: string): string {
    return `${Buffer.from(loginId).toString('base64url')}.${this.#proof(loginId, workspaceId)}`;
  }

  /** The login a ticket was issued to; null when it is not one of ours for this workspace. */
  loginOf(ticket: string, workspaceId: string): string | null {
    const [login = '', proof = ''] = ticket.split('.');
    const loginId = Buffer.from(login, 'base64url').toString();
    return sameSecret(proof, this.#proof(loginId, workspaceId)) ? loginId : null;
  }

  #proof(loginId: string, workspaceId: string): string {
    return derive(this.#key, loginId, workspaceId);
  }
}
