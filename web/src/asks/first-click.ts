import type { MouseEvent } from 'react';

/** A double click answers what it began on: by its second half something else has moved under the mouse. */
export function isFirstClick(event: MouseEvent): boolean {
  return event.detail <= 1;
}
