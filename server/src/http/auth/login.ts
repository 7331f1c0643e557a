/** Who a request comes from, and how others get to know them. */
import { createHash } from 'node:crypto';
import type { Me } from '@tscodex/shared/workspace';

/** `id`: of a login session, a guest (`guests.ts`) or a program; the three never coincide. */
export type Login = { id: string; name: string | null };

const PROGRAM = 'program';

/** Who sends the right `Authorization: Bearer`, under whatever name it gives itself. */
export function programLogin(name: string | null): Login {
  return { id: name === null ? PROGRAM : `${PROGRAM} ${short(name)}`, name };
}

export function isProgram(id: string): boolean {
  return id === PROGRAM || id.startsWith(`${PROGRAM} `);
}

/** How a login is known to other people's pages. It tells nothing that lets anybody in. */
export function meOf({ id, name }: Login): Me {
  return { id: short(id), name };
}

function short(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
