/** The box a small image has in the conversation, known before it has come, so that nothing moves when it does. */
export type Size = { width: number; height: number };

/** One alone may be as large as this; several stand in rows of one height. */
const ALONE: Size = { width: 280, height: 200 };
const ROW: Size = { width: 220, height: 112 };
/** A strip of one pixel is still something to press. */
const LEAST = 44;
const UNKNOWN: Size = { width: 160, height: 120 };

/** In its own shape, within reason: what is very long is seen in part. Pure. */
export function thumbnailSize({ width, height }: Partial<Size>, count: number): Size {
  const own = width && height ? { width, height } : UNKNOWN;
  const most = count === 1 ? ALONE : ROW;
  const fits = Math.min(most.width / own.width, most.height / own.height);
  const scale = count === 1 ? Math.min(1, fits) : most.height / own.height;
  const box = (side: 'width' | 'height') =>
    Math.min(most[side], Math.max(LEAST, Math.round(own[side] * scale)));
  return { width: box('width'), height: box('height') };
}
