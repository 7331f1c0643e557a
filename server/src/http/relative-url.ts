/** URLs relative to the request, so that pages and redirects work behind any path prefix. Pure. */

/** From the page at `url` up to the server's root: `./`, `../`, `../../`. */
export function rootFrom(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  const depth = path.split('/').length - 2;
  return depth <= 0 ? './' : '../'.repeat(depth);
}

/** The query of a URL with its question mark, or nothing. */
export function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at);
}

/** Removes the base path where a proxy has left it in place. */
export function withoutBase(url: string, basePath: string): string {
  return basePath !== '' && url.startsWith(`${basePath}/`) ? url.slice(basePath.length) : url;
}
