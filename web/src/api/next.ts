/**
 * `next`: the place a person comes back to after logging in. A path and query below the base path, which is not
 * part of it, so that it means the same behind a proxy that strips a prefix and behind one that does not.
 */

/** The address of the login page that leads back to `place`. */
export function loginUrl(base: URL, place: URL): URL {
  const url = new URL('login', base);
  const path = place.pathname.startsWith(base.pathname) ? place.pathname.slice(base.pathname.length) : '';
  if (path !== '' || place.search !== '') url.searchParams.set('next', `/${path}${place.search}`);
  return url;
}

/** Where `next` leads: always below `base`; anything that tries to lead elsewhere leads to the start page. */
export function nextPlace(base: URL, next: string | null): URL {
  if (next === null || !/^\/(?!\/)/.test(next) || /[\\\p{Cc}]/u.test(next)) return base;
  if (!URL.canParse(next.slice(1), base)) return base;
  const url = new URL(next.slice(1), base);
  return url.origin === base.origin && url.pathname.startsWith(base.pathname) ? url : base;
}
