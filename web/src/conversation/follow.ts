/**
 * Following the bottom of the conversation, as pure decisions: follow only while at the bottom, let go on any
 * sign that the reader wants to stay where they are, never pull them down again.
 */

/** A scrolled element, in CSS pixels. */
export type Place = { top: number; height: number; view: number };

/** This close to the end counts as being there. */
const NEAR = 24;
/** The share of the view that nothing but the reader moves it by. */
const LEAP = 0.4;
/** Rounding of fractional scroll positions. */
const SLACK = 2;

export function distanceToEnd({ top, height, view }: Place): number {
  return height - view - top;
}

export function canScroll({ height, view }: Place): boolean {
  return height > view + SLACK;
}

/**
 * Whether to follow after the position went from `before` to `now`. Arriving at the end follows again. Wheel, keys,
 * touch and scroll bar say by themselves that the reader goes up, so of what moves without them only a leap lets go
 * (find in page, focus far above): layout moves the view by a little, and so does a wheel's animation that ends where
 * the end was when it began. A position that was known already says nothing: the event of the last step to the end
 * may come after the reader has let go.
 */
export function followsAfterScroll(following: boolean, before: Place, now: Place): boolean {
  if (now.top === before.top) return following;
  const up = before.top - now.top;
  if (following) return up < now.view * LEAP || before.top > now.height - now.view;
  const wasPushed = before.top > now.height - now.view;
  if (up > 0 && !wasPushed) return false;
  const reach = up > 0 ? SLACK : NEAR;
  return distanceToEnd({ ...now, height: aimedAt(before, now) }) <= reach;
}

/**
 * The height whose end the reader aimed at. What streams in meanwhile moves the end on, so the one they saw counts;
 * but not where they were only pushed down by what came above.
 */
function aimedAt(before: Place, now: Place): number {
  const grew = now.height - before.height;
  return grew > 0 && now.top - before.top > grew ? before.height : now.height;
}

/** Whether the end is out of sight. */
export function isAway(place: Place): boolean {
  return distanceToEnd(place) > NEAR;
}

/** Keys that move a scrolled element up. */
export function isUpwardKey(event: Pick<KeyboardEvent, 'key' | 'shiftKey'>): boolean {
  return ['ArrowUp', 'PageUp', 'Home'].includes(event.key) || (event.key === ' ' && event.shiftKey);
}
