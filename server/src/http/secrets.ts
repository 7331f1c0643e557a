/** Secrets of the server: the token made at first start, and what is derived from it. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, messageOf } from '../base/errors.ts';

/** 256 bits as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads the token from the state directory, or makes it (mode 0600). Stable over restarts. Throws `unavailable`
 * when it can neither be read nor made, `invalid` when the file holds something else.
 */
export async function loadToken(stateDir: string): Promise<string> {
  const path = join(stateDir, 'token');
  try {
    const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
    const token = randomBytes(32).toString('base64url');
    await file.writeFile(`${token}\n`).finally(() => file.close());
    return token;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new Failure('unavailable', 'token.unwritable', `${path}: ${messageOf(error)}`, { cause: error });
  }
  const token = (await readFile(path, 'utf8')).trim();
  if (!TOKEN.test(token))
    throw new Failure('invalid', 'token.malformed', `${path} holds no token; delete it and a new one is made`);
  return token;
}

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
