/** The `next` of the login page: where to go after logging in. Pure. */

/**
 * Whether `next` stays on this server: a path and query from the server's root (below the base path, which is
 * not part of it). One leading `/`; no `//`, backslash, control character or dot segment, however encoded.
 */
export function isSafeNext(next: string): boolean {
  if (next.length > 2048 || !next.startsWith('/')) return false;
  const path = next.split(/[?#]/, 1)[0] ?? '';
  if (path.includes('//') || /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)) return false;
  return ![...next].some((char) => char === '\\' || char < ' ' || char === '\x7f');
}
