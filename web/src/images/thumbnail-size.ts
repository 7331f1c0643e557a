/** The box a small image has in the conversation, known before it has come, so that nothing moves when it does. */
export type Size = { width: number; height: number };

const MOST: Size = { width: 240, height: 160 };
/** A strip of one pixel is still something to press. */
const LEAST = 44;
const UNKNOWN: Size = { width: 160, height: 120 };

/** Never larger than the image itself, but for the smallest. Pure. */
export function thumbnailSize({ width, height }: Partial<Size>): Size {
  if (!width || !height) return UNKNOWN;
  const scale = Math.min(1, MOST.width / width, MOST.height / height);
  return {
    width: Math.max(LEAST, Math.round(width * scale)),
    height: Math.max(LEAST, Math.round(height * scale)),
  };
}
