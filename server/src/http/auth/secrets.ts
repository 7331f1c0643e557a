/** What is derived from the server's secrets, and how a secret is compared. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA-256, hexadecimal: a value that proves nothing about `key` and cannot be made without it. */
export function derive(key: string, ...parts: string[]): string {
  return createHmac('sha256', key).update(parts.join('\0')).digest('hex');
}

/**
 * Compares in constant time, whatever the lengths. A fast keyed hash on purpose: the throttle bounds the
 * guesses, and a slow one would only let a stranger burn the CPU.
 */
export function sameSecret(candidate: string, secret: string): boolean {
  const key = randomBytes(32);
  const hash = (text: string) => createHmac('sha256', key).update(text).digest();
  return timingSafeEqual(hash(candidate), hash(secret));
}
