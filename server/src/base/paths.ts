/** How places on the disk lie in one another, by their names alone. */

/** Whether a path is the place or lies in it; both absolute and resolved, with `/` between names. */
export function isWithin(path: string, place: string): boolean {
  const directory = place.endsWith('/') ? place.slice(0, -1) : place;
  return path === place || path === directory || path.startsWith(`${directory}/`);
}
