import { type PointerEvent, useState } from 'react';

/** Whether a mouse or a pen is over what gets these handlers. A finger is nowhere until it presses. */
export function useHold() {
  const [held, setHeld] = useState(false);
  const over = (isOver: boolean) => (event: PointerEvent) => {
    if (event.pointerType !== 'touch') setHeld(isOver);
  };
  return { held, handlers: { onPointerEnter: over(true), onPointerLeave: over(false) } };
}
