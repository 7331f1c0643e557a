import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { moved, placeAt, type Rect } from './order.ts';

type Drag = { id: string; from: number; to: number; ids: readonly string[]; places: readonly Rect[] };

/** How near to the edge of the window a hand scrolls it, and how far at a time. In pixels. */
const EDGE = 56;
const SCROLL = 14;

/**
 * Putting the children of a grid into another order by hand. While one is dragged the others make room; they only
 * seem to (by CSS `order`): taking them out of the page would load their boards anew at every turn.
 */
export function useDragOrder(
  grid: RefObject<HTMLElement | null>,
  ids: readonly string[],
  onMove: (id: string, to: number) => void,
) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const now = useRef({ drag, onMove });
  useEffect(() => {
    now.current = { drag, onMove };
  });
  const isDragging = drag !== null;
  useEffect(() => {
    if (!isDragging) return;
    const cancel = ({ key }: KeyboardEvent) => key === 'Escape' && setDrag(null);
    addEventListener('keydown', cancel);
    return () => removeEventListener('keydown', cancel);
  }, [isDragging]);

  const begin = (id: string, event: PointerEvent) => {
    if (event.button !== 0 || !grid.current) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = ids.indexOf(id);
    setDrag({ id, from, to: from, ids, places: [...grid.current.children].map(pagePlace) });
  };
  const move = ({ clientX, clientY }: PointerEvent) => {
    setDrag((before) => {
      if (!before) return before;
      const to = placeAt(before.places, clientX + scrollX, clientY + scrollY);
      return to === before.to ? before : { ...before, to };
    });
    if (!now.current.drag) return;
    if (clientY < EDGE) scrollBy(0, -SCROLL);
    if (clientY > innerHeight - EDGE) scrollBy(0, SCROLL);
  };
  const end = () => {
    const { drag: done } = now.current;
    setDrag(null);
    if (done && done.to !== done.from) now.current.onMove(done.id, done.to);
  };

  const order = drag === null ? ids : moved(drag.ids, drag.from, drag.to);
  return {
    dragged: drag?.id ?? null,
    /** Where one seems to be; who came meanwhile is last. */
    placeOf: (id: string) => (order.includes(id) ? order.indexOf(id) : order.length),
    /** For the part of one that is taken hold of. */
    handle: (id: string) => ({
      onPointerDown: (event: PointerEvent) => begin(id, event),
      onPointerMove: move,
      onPointerUp: end,
      onPointerCancel: () => setDrag(null),
    }),
  };
}

/** Where it lies on the page, wherever that is scrolled to. */
function pagePlace(element: Element): Rect {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left: left + scrollX, top: top + scrollY, width, height };
}
