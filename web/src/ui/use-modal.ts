import { type MouseEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Shows a `<dialog>` over the page for as long as it is rendered; `props` are for it. Escape and a press beside what
 * is in it close it. Whatever does, the focus is back where it was by the time that `onClose` is told.
 */
export function useModal(onClose: () => void): {
  dialog: RefObject<HTMLDialogElement | null>;
  props: {
    ref: RefObject<HTMLDialogElement | null>;
    onClose: (event: { target: EventTarget }) => void;
    onPointerDown: (event: PointerEvent) => void;
    onClick: (event: MouseEvent) => void;
  };
} {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // before it is taken out: it gives the focus back
    return () => element?.close();
  }, []);
  // a press that begins inside, to select text, and ends beside it closes nothing
  const pressedBeside = useRef(false);
  const isItself = ({ target }: { target: EventTarget }) => target === dialog.current;
  return {
    dialog,
    props: {
      ref: dialog,
      // React tells of it further up than the browser does: of a window over this one, too
      onClose: (event) => {
        if (isItself(event)) onClose();
      },
      onPointerDown: (event) => {
        pressedBeside.current = isItself(event);
      },
      onClick: (event) => {
        if (pressedBeside.current && isItself(event)) dialog.current?.close();
      },
    },
  };
}
