import { useEffect, useRef, useState } from 'react';

/**
 * Takes files that are dropped anywhere on the page: let through, the browser would leave the page to show one.
 * Returns whether some are being dragged over it.
 */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [dragging, setDragging] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    const ended = new AbortController();
    const on = <Kind extends 'dragenter' | 'dragover' | 'dragleave' | 'drop'>(
      kind: Kind,
      handle: (event: DragEvent) => void,
    ) =>
      document.addEventListener(kind, (event) => hasFiles(event) && handle(event), { signal: ended.signal });
    on('dragenter', () => setDragging(true));
    on('dragover', (event) => {
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    });
    // nothing comes after it: the pointer has left the page
    on('dragleave', (event) => event.relatedTarget === null && setDragging(false));
    on('drop', (event) => {
      event.preventDefault();
      setDragging(false);
      take.current([...(event.dataTransfer?.files ?? [])]);
    });
    return () => ended.abort();
  }, []);
  return dragging;
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}
