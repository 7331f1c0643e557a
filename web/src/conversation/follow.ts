/**
 * Following the bottom of the conversation, as pure decisions: follow only while at the bottom, let go on any
 * sign that the reader wants to stay where they are, never pull them down again.
 */

/** A scrolled element, in CSS pixels. */
export type Place = { top: number; height: number; view: number };

/** This close to the end counts as being there. */
const NEAR = 24;
/** Rounding of fractional scroll positions. */
const SLACK = 2;

export function distanceToEnd({ top, height, view }: Place): number {
  return height - view - top;
}

export function canScroll({ height, view }: Place): boolean {
  return height > view + SLACK;
}

/**
 * Whether to follow after the position went from `before` to `now`. Going up lets go, arriving at the end
 * follows again. A position that had to change because the content shrank says nothing about the reader.
 */
export function followsAfterScroll(following: boolean, before: Place, now: Place): boolean {
  if (distanceToEnd(now) <= SLACK) return true;
  if (now.top < before.top - SLACK) {
    const couldStay = before.top <= now.height - now.view + SLACK;
    return following && !couldStay;
  }
  return following || (now.top > before.top && distanceToEnd(now) <= NEAR);
}

/** Keys that move a scrolled element up. */
export function isUpwardKey(event: Pick<KeyboardEvent, 'key' | 'shiftKey'>): boolean {
  return ['ArrowUp', 'PageUp', 'Home'].includes(event.key) || (event.key === ' ' && event.shiftKey);
}
