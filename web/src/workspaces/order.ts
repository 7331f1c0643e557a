/** Putting a list into another order. Pure. */

/** The list with what is at `from` moved to `to`; the list itself where there is no such place. */
export function moved<Item>(list: readonly Item[], from: number, to: number): readonly Item[] {
  const item = list[from];
  if (item === undefined || from === to || to < 0 || to >= list.length) return list;
  const next = list.filter((_, at) => at !== from);
  next.splice(to, 0, item);
  return next;
}

export type Rect = { left: number; top: number; width: number; height: number };

/** Which of the places a point is in, or nearest to. */
export function placeAt(places: readonly Rect[], x: number, y: number): number {
  const distances = places.map(({ left, top, width, height }) => {
    const dx = Math.max(left - x, 0, x - left - width);
    const dy = Math.max(top - y, 0, y - top - height);
    return Math.hypot(dx, dy);
  });
  return distances.indexOf(Math.min(...distances));
}
