/**
 * With `--no-auth` there are no logins. A browser then carries who it is in a cookie of its own, which lets
 * nobody in and is worth nothing once logins are required: an id that tells it from others, and its name.
 */
import { randomUUID } from 'node:crypto';
import { personName } from '@tscodex/shared/workspace';
import * as z from 'zod';
import type { Login } from './login.ts';

/** Whoever has no cookie yet: programs, and a browser's very first request. */
const ANYBODY: Login = { id: 'guest', name: null };

const cookieValue = z.templateLiteral([z.uuid(), '.', z.string().regex(/^[\w-]{0,400}$/)]);

export function newGuest(): Login {
  return { id: `guest ${randomUUID()}`, name: null };
}

/** Whether many go by this id: none of them can speak for the others. */
export function isAnybody(id: string): boolean {
  return id === ANYBODY.id;
}

export function isGuest(id: string): boolean {
  return isAnybody(id) || id.startsWith('guest ');
}

/** The guest that a cookie names; somebody nameless where it is none of ours. */
export function guestOf(cookie: string | undefined): Login {
  if (cookie === undefined || !cookieValue.safeParse(cookie).success) return ANYBODY;
  const [id = '', name = ''] = cookie.split('.');
  const text = Buffer.from(name, 'base64url').toString('utf8');
  return { id: `guest ${id}`, name: personName.safeParse(text).data ?? null };
}

/** null for who has no id to be kept. */
export function guestCookie({ id, name }: Login): string | null {
  if (isAnybody(id)) return null;
  return `${id.slice('guest '.length)}.${Buffer.from(name ?? '').toString('base64url')}`;
}
