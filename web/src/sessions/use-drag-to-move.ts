import { type DragEvent, useState } from 'react';

/** Dragging a line of a list to another place. `onMove`: to which line, from 0. */
export function useDragToMove(lines: readonly { id: string }[], onMove: (id: string, to: number) => void) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const from = lines.findIndex(({ id }) => id === dragged);
  const end = () => {
    setDragged(null);
    setOver(null);
  };
  return {
    /** The properties of a line. */
    line: (id: string, at: number) => ({
      draggable: true,
      'data-drop':
        dragged === null || over !== at || at === from ? undefined : at < from ? 'before' : 'after',
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move';
        // what is dropped elsewhere says nothing
        event.dataTransfer.setData('text/plain', '');
        setDragged(id);
      },
      onDragOver: (event: DragEvent) => {
        if (dragged === null) return;
        event.preventDefault();
        setOver(at);
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        if (dragged !== null && at !== from) onMove(dragged, at);
        end();
      },
      onDragEnd: end,
    }),
  };
}
